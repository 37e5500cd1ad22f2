package provider

import (
	"regexp"

	"hew/schema"
)

// Direct members of groups and of projects (spec 2 §2.8 and §4.6, gaps §5.1).
// Their id is the user's: that is what the API addresses them by, so a member
// whose user name leads nowhere can be changed and removed all the same.
var (
	groupMember   = groupMembership()
	projectMember = membership(inProject)
)

// groupMembership: owners of a group own it, and whoever leaves it stays a member
// of what is below it, for those are other blocks' members, or nobody's.
func groupMembership() kind {
	k := membership(inGroup)
	k.Owns = 50
	k.API.Delete = "groups/{group}/members/{id}?skip_subresources=true"
	return k
}

func membership(in holder) kind {
	return kind{
		Kind: schema.Kind{
			Name: in.name + "_member",
			Doc: "A direct member of a " + in.name + ", or somebody who is invited to become one. " +
				"Members that the " + in.name + " inherits are not touched.",
			Collection: in.path("members"),
			Inherited:  "groups/{group}/members/all",
			Match:      schema.ByKey("user", mail),
			Check:      exactlyOne("user", mail),
			Need:       in.need,
			Weighs:     "access_level",
			Spares:     "user",
			Admits:     "user",
			Least:      10,
		},
		Table: []attr{
			in.ref(),
			ref("user", "user", "The user, by name or id.", fixed, wire("user_id")),
			level("access_level", "What the member may do: "+
				"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, `minimal_access`, or a number.",
				required, check(grantable), always),
			date("expires_at", "The day on which the membership ends, as YYYY-MM-DD; empty is never.", check(notPast)),
			text(mail, "In place of the user, an e-mail address of somebody who may have no account yet, and is invited. "+
				"Once the invitation is accepted, the member with that address is meant.", fixed, caseless, check(address), leads("user")),
			id(),
			text("username", "The user's name.", computed, caseless),
			text("name", "The name that people read.", computed),
			text("state", "The state of the account, such as active or blocked.", computed),
			text("web_url", "The user's page.", computed),
		},
		API: rest{Invitations: in.path("invitations"), Reads: []string{"username", "bot", "override"}, Decode: member},
	}
}

// tokenBot is what hosts name the users behind access tokens (gaps §2.2).
var tokenBot = regexp.MustCompile(`^(project|group)_\d+_bot(\d+|_[0-9a-z]+)?$`)

// member sets the user and notes members that are not people's to manage: bots
// of access tokens, and those that a directory keeps in step (override false).
func member(d *decoder, r record, o *schema.Object) error {
	username := r.text("username")
	d.refer(o, "user", o.ID, username)
	switch _, synced := r["override"]; {
	case r.is("bot") || tokenBot.MatchString(username):
		o.Note = "bot"
	case synced && !r.is("override") && !isNull(r["override"]):
		o.Note = "synced from the directory"
	}
	return nil
}

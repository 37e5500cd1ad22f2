package provider

import (
	"net/url"
	"regexp"

	"hew/schema"
)

// groupMember is a direct member of a group (spec 2 §2.8 and §4.6, gaps §5.1).
// Its id is the user's: that is what the API addresses it by, so a member whose
// user name leads nowhere can be changed and removed all the same.
var groupMember = kind{
	Kind: schema.Kind{
		Name:       "group_member",
		Doc:        "A direct member of a group. Members that the group inherits are not touched.",
		Collection: "groups/{group}/members",
		Inherited:  "groups/{group}/members/all",
		Match:      schema.ByKey("user"),
		Need:       "Owner of the group",
		Weighs:     "access_level", Owns: 50,
	},
	Table: []attr{
		ref("group", "group", "The group.", required, fixed),
		ref("user", "user", "The user, by name or id.", required, fixed, wire("user_id")),
		level("access_level", "What the member may do: "+
			"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, `minimal_access`, or a number.",
			required, always),
		date("expires_at", "The day on which the membership ends, as YYYY-MM-DD; empty is never.", check(notPast)),
		id(),
		text("username", "The user's name.", computed, caseless),
		text("name", "The name that people read.", computed),
		text("state", "The state of the account, such as active or blocked.", computed),
		text("web_url", "The user's page.", computed),
	},
	// Whoever leaves the group stays a member of what is below it: those are other
	// blocks' members, or nobody's.
	API: rest{Reads: memberReads, Decode: member, Alone: url.Values{"skip_subresources": {"true"}}},
}

// What members of groups share with members of projects.
var (
	memberReads = []string{"username", "bot", "override"}

	// tokenBot is what hosts name the users behind access tokens (gaps §2.2).
	tokenBot = regexp.MustCompile(`^(project|group)_\d+_bot(\d+|_[0-9a-z]+)?$`)
)

// member sets the user and notes members that are not people's to manage: bots
// of access tokens, and those that a directory keeps in step (override false).
func member(d *decoder, r record, o *schema.Object) {
	username := r.text("username")
	d.refer(o, "user", o.ID, username)
	switch _, synced := r["override"]; {
	case r.is("bot") || tokenBot.MatchString(username):
		o.Note = "bot"
	case synced && !r.is("override") && !isNull(r["override"]):
		o.Note = "synced from the directory"
	}
}

package provider

import (
	"hew/schema"
	"hew/schema/catalogue"
	"hew/schema/pattern"
)

// Direct members of groups and projects (spec 2 §2.8 and §4.6, gaps §5.1). Their id is
// the user's, so a member can be updated and deleted even if the user cannot be found
// by name.
func groupMember() Kind   { return groupMembership() }
func projectMember() Kind { return membership(inProject) }

// groupMembership returns the kind of a group's members. Removing one leaves the user's
// memberships below the group, which are other blocks' or unmanaged.
func groupMembership() Kind {
	k := membership(inGroup)
	k.Members.Owner = 50
	k.API.Delete = "groups/{group}/members/{id}?skip_subresources=true"
	return k
}

func membership(in holder) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_member",
			Doc: "A direct member of a " + in.name + ", or an invitation to become one. " +
				"Inherited members are not managed.",
			Collection: in.path("members"),
			Match:      schema.ByKey("user", mail),
			Unique:     []schema.Unique{{Attrs: []string{"user"}}},
			Check:      ExactlyOneOf("user", mail),
			Need:       in.need,
			Members: &schema.Membership{
				Who: "user", Email: mail, Level: "access_level", Least: 10,
				Inherited: "groups/{group}/members/all", SparesNoted: true, Requested: true,
			},
		},
		Table: []Attr{
			in.ref(),
			Reference("user", "user", "The user, by username or id.", ForceNew, Parameter("user_id")),
			AccessLevel("access_level", "The access level of the member: "+
				"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, `minimal_access`, or a number.",
				Required, Grants(catalogue.MemberLevels), AlwaysSent, OpensRising),
			Date("expires_at", "The expiration date of the membership, as YYYY-MM-DD. Empty is never.",
				Check(checkNotPast), OpensLater),
			String(mail, "The e-mail address of somebody to invite, instead of user. "+
				"Once the invitation is accepted, the block manages the member with that address.", ForceNew,
				CaseInsensitive, Check(checkEmail)),
			ID(),
			String("username", "The username.", Computed, CaseInsensitive),
			String("name", "The display name.", Computed),
			String("state", "The state of the account, such as active or blocked.", Computed),
			String("web_url", "The URL of the user's profile.", Computed),
		},
		API: REST{Invitations: in.path("invitations"),
			Reads:  []string{"username", "bot", "override", "membership_state"},
			Decode: decodeMember, Lookup: accessRequestsOf(in.path("access_requests"))},
	}
}

// tokenBot matches the usernames of the users behind access tokens (gaps §2.2).
var tokenBot = pattern.Lazy(`^(project|group)_\d+_bot(\d+|_[0-9a-z]+)?$`)

// decodeMember sets the user and the state of the membership. It sets a Note for members
// that hew must not manage: bots of access tokens, and members that a directory syncs
// (override false).
func decodeMember(d *Decoder, r Record, o *schema.Object) error {
	username := r.Text("username")
	d.SetReference(o, "user", o.ID, username)
	if r.Text("membership_state") == "awaiting" {
		o.State = schema.Awaiting
	}
	switch _, synced := r["override"]; {
	case r.IsTrue("bot") || tokenBot().MatchString(username):
		o.Note = "bot"
	case synced && !r.IsTrue("override") && !isNull(r["override"]):
		o.Note = "synced from the directory"
	}
	return nil
}

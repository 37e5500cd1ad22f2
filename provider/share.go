package provider

import (
	"hew/schema"
	"hew/schema/catalogue"
)

// Shares of groups and projects with a group, whose members become their members (gaps
// §3.2 and §4.2). Hosts list shares only in the answer for what is shared, and cannot
// update one, so a change recreates it.
func groupShare() Kind   { return share(inGroup, "groups/{group}?with_projects=false") }
func projectShare() Kind { return share(inProject, "projects/{project}") }

func share(in holder, lister string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_share",
			Doc: "Shares a " + in.name + " with another group. Members of that group become members of the shared " +
				in.name + ". " +
				"Hosts cannot update a share, so a change deletes and creates it in one step.",
			Collection: lister,
			Match:      schema.ByKey("share_group"),
			Unique:     []schema.Unique{{Attrs: []string{"share_group"}}},
			Members:    &schema.Membership{Who: "share_group"},
			Check:      checkShareTarget(in.name, "share_group"),
			Need:       in.need,
		},
		Table: []Attr{
			Reference(in.name, in.name, "The "+in.name+" to share.", Required, ForceNew),
			Reference("share_group", "group", "The group to share with.", Required, ForceNew, Parameter("group_id")),
			AccessLevel("group_access", "The maximum access level of the group's members: "+
				"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number.", Required,
				Grants(catalogue.ShareLevels), Field("group_access_level"), OpensRising),
			Date("expires_at", "The expiration date of the share, as YYYY-MM-DD. Empty is never.", Check(checkNotPast),
				OpensLater),
			Number("id", "The id of the group to share with.", Computed, Field("group_id")),
		},
		API: REST{
			Within: "shared_with_groups", ID: "group_id", Recreate: true,
			Items: in.path("share"),
			Reads: []string{"group_full_path"},
			Decode: func(d *Decoder, r Record, o *schema.Object) error {
				d.SetReference(o, "share_group", o.ID, r.Text("group_full_path"))
				return nil
			},
		},
	}
}

// checkShareTarget rejects a group that is shared with itself.
func checkShareTarget(owner, with string) func(schema.Object) []schema.Problem {
	return func(o schema.Object) []schema.Problem {
		if a := o.Kind.Attr(owner); a.RefKind() != "group" || !a.Equal(o.Get(owner), o.Get(with)) {
			return nil
		}
		return []schema.Problem{{Attr: with, Text: "a group cannot be shared with itself"}}
	}
}

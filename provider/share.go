package provider

import (
	"hew/schema"
)

// Groups and projects shared with a group, whose members then are members of them
// as well (gaps §3.2 and §4.2). Hosts tell of shares only within what is shared,
// and cannot change one: it is taken back and given anew.
var (
	groupShare   = share(inGroup, "groups/{group}?with_projects=false")
	projectShare = share(inProject, "projects/{project}")
)

func share(in holder, lister string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_share",
			Doc: "A share of a " + in.name + " with a group: the group's members are members of the " + in.name + ". " +
				"Hosts cannot change a share, so a changed one is removed and made again in one step.",
			Collection: lister,
			Match:      schema.ByKey("share_group"),
			Members:    &schema.Membership{Who: "share_group"},
			Check:      notWith(in.name, "share_group"),
			Need:       in.need,
		},
		Table: []Attr{
			Reference(in.name, in.name, "The "+in.name+" that is shared.", Required, ForceNew),
			Reference("share_group", "group", "The group that it is shared with.", Required, ForceNew, Parameter("group_id")),
			AccessLevel("group_access", "What members of that group may do at most: "+
				"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number.", Required, Check(grantable), Field("group_access_level")),
			Date("expires_at", "The day on which the share ends, as YYYY-MM-DD; empty is never.", Check(notPast)),
			Number("id", "The id of the group that it is shared with.", Computed, Field("group_id")),
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

// notWith refuses a group that is shared with itself.
func notWith(owner, with string) func(schema.Object) []schema.Problem {
	return func(o schema.Object) []schema.Problem {
		if a := o.Kind.Attr(owner); a.RefKind() != "group" || !a.Equal(o.Get(owner), o.Get(with)) {
			return nil
		}
		return []schema.Problem{{Attr: with, Text: "a group cannot be shared with itself: name another group"}}
	}
}

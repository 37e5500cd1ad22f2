package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// The direct members of a group or project in one block.
func groupMembers() Kind   { return memberships(groupMember()) }
func projectMembers() Kind { return memberships(projectMember()) }

func memberships(of Kind) Kind {
	owner := of.Table[0].Name
	return Kind{
		Kind: schema.Kind{
			Name: of.Name + "s",
			Doc: "The direct members of a " + owner +
				" in one block. Each member is planned and applied as a separate object.",
			Collection: of.Collection,
			Match:      schema.ByKey(owner),
			Set:        &schema.Set{Attr: "members", Element: of.Name, Key: "user", Mail: mail, Exclusive: "exclusive"},
			Need:       of.Need,
		},
		Table: []Attr{
			of.Table[0],
			Typed(membersType(), "members",
				"The members by username, or by e-mail address to invite somebody, each with `access_level` and "+
					"optionally `expires_at`, as in "+of.Name+".", Required),
			Bool("exclusive", "Whether to remove members and invitations that are not in `members`, except bots "+
				"and members synchronized from a directory.", Default(false)),
		},
	}
}

// membersType maps a username to the access level and the expiration date. A level is a
// string, be it a name or a number, because all elements of a map have one type.
func membersType() cty.Type {
	return cty.Map(cty.ObjectWithOptionalAttrs(map[string]cty.Type{
		"access_level": cty.String,
		"expires_at":   cty.String,
	}, []string{"expires_at"}))
}

package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// The direct members of a group or project in one block.
var (
	groupMembers   = memberships(&groupMember)
	projectMembers = memberships(&projectMember)
)

func memberships(of *Kind) Kind {
	owner := of.Table[0].Name
	return Kind{
		Kind: schema.Kind{
			Name:       of.Name + "s",
			Doc:        "Direct members of a " + owner + ", many in one block. Each is planned, applied and remembered for itself.",
			Collection: of.Collection,
			Match:      schema.ByKey(owner),
			Set:        &schema.Set{Attr: "members", Element: of.Name, Key: "user", Mail: mail, Exclusive: "exclusive"},
			Need:       of.Need,
		},
		Table: []Attr{
			of.Table[0],
			Typed(membersType, "members", "The members by user name, or by the e-mail address of whoever is invited: `access_level`, and `expires_at` where the membership ends, both as in "+of.Name+".", Required),
			Bool("exclusive", "Whoever is not in `members` is removed or invited no longer, except bots and members that a directory brings.", Default(false)),
		},
	}
}

// membersType maps a user name to what the user may do, and until when. Access
// levels are names or numbers; as text, for all elements must be of one type.
var membersType = cty.Map(cty.ObjectWithOptionalAttrs(map[string]cty.Type{
	"access_level": cty.String,
	"expires_at":   cty.String,
}, []string{"expires_at"}))

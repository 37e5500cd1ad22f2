package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// groupMembers is the direct members of a group in one block.
var groupMembers = kind{
	Kind: schema.Kind{
		Name:       "group_members",
		Doc:        "Direct members of a group, many in one block. Each is planned, applied and remembered for itself.",
		Collection: "groups/{group}/members",
		Match:      schema.ByKey("group"),
		Set:        &schema.Set{Attr: "members", Element: "group_member", Key: "user", Exclusive: "exclusive"},
		Need:       "Owner of the group",
	},
	Table: []attr{
		ref("group", "group", "The group.", required, fixed),
		typed(membersType, "members", "The members by user name: `access_level`, and `expires_at` where the membership ends, both as in group_member.", required),
		boolean("exclusive", "Whoever is not in `members` is removed, except bots and members that a directory brings.", def(false)),
	},
}

// membersType maps a user name to what the user may do, and until when. Access
// levels are names or numbers; as text, for all elements must be of one type.
var membersType = cty.Map(cty.ObjectWithOptionalAttrs(map[string]cty.Type{
	"access_level": cty.String,
	"expires_at":   cty.String,
}, []string{"expires_at"}))

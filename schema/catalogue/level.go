package catalogue

// Levels are access levels that can be granted, in rising order.
type Levels []int64

// The access levels by what they are granted to: members, invitations and directory links; shares
// and tokens, which cannot have minimal access.
var (
	MemberLevels = Levels{5, 10, 15, 20, 30, 40, 50}
	ShareLevels  = MemberLevels[1:]
)

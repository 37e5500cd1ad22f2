package tree

import (
	"strconv"

	"hew/server/db"
)

// Viewer is who looks at invited groups and their members. He sees those that are public, and those that he belongs to.
type Viewer struct {
	UserID int64
	All    bool // he sees all
}

// Seen is the condition that the viewer sees an invited group i.
var Seen = `(@all or i.visibility = ` + strconv.Itoa(int(db.Public)) + ` or exists (
	select from ` + SpaceGrants + ` m where m.user_id = @viewer and m.namespace_id = any(i.traversal_ids)))`

// LastingShare is the condition that a share s has not expired.
const LastingShare = `(s.expires_at is null or s.expires_at > current_date)`

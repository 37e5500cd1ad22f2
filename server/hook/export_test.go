package hook

import (
	"context"

	"hew/server/db"
)

// AudienceOf returns the hooks to which an event in a group is sent.
func AudienceOf(ctx context.Context, h *db.Store, flag string, group int64, chain string) ([]Hook, error) {
	return audienceOf(ctx, h, flag, audience{groups: []int64{group}, chain: chain})
}

// Names for tests of the database.
var (
	CountCall            = countCall
	FindLog              = findLog
	RemoveOldLogs        = removeOldLogs
	GroupRemovalPayloads = groupRemovalPayloads
	UserRemovalPayloads  = userRemovalPayloads
	MemberPayloads       = memberPayloads
)

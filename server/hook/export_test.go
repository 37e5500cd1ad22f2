package hook

import (
	"context"

	"hew/server/db"
)

// AudienceOf returns the hooks that are told of an event in a group.
func AudienceOf(ctx context.Context, h *db.Store, flag string, group int64, chain string) ([]Hook, error) {
	return audienceOf(ctx, h, flag, audience{group: group, chain: chain})
}

// What tests of the database look into.
var (
	CountCall     = countCall
	FindHookLog   = findHookLog
	RemoveOldLogs = removeOldLogs
)

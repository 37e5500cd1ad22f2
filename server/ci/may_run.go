package ci

import (
	"context"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/protect"
	"hew/server/tree"
)

// MayRun reports whether somebody who may run pipelines of a project may run one of a ref, given by
// its name or its full name: of a protected one only those who may change it, since its jobs get
// protected variables.
func MayRun(ctx context.Context, st *db.Store, p tree.Project, by protect.Pusher, ref string) (bool, error) {
	full, err := fullRef(ctx, st, p, ref)
	if err != nil {
		return false, err
	}
	protection, err := protect.ReadProtection(ctx, st, p.ID, by)
	if err != nil {
		return false, err
	}
	if tag, ok := strings.CutPrefix(full, code.Tags); ok {
		return protection.MayRun(protect.Tag, tag), nil
	}
	return protection.MayRun(protect.Branch, strings.TrimPrefix(full, code.Heads)), nil
}

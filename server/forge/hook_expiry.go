package forge

import (
	"context"

	"hew/server/jobs"
	"hew/server/store"
)

// soon is how many days ahead hooks are told that an access token expires, as on the public service; expiringAtOnce is of
// how many tokens within one transaction.
const (
	soon           = 7
	expiringAtOnce = 100
)

// tellExpiring tells the hooks of groups and projects, and of the groups above, of access tokens there that expire soon. Each
// is told of once: that it was, and the deliveries, are committed together.
func tellExpiring(ctx context.Context, st *store.Store, q *jobs.Queue) error {
	for {
		n := 0
		err := st.Tx(ctx, func(st *store.Store) error {
			tokens, err := st.Expiring(ctx, soon, expiringAtOnce)
			if err != nil {
				return err
			}
			n = len(tokens)
			for _, t := range tokens {
				if err := gone(tellToken(ctx, st, q, t)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n < expiringAtOnce {
			return err
		}
	}
}

func tellToken(ctx context.Context, st *store.Store, q *jobs.Queue, t store.Token) error {
	h := happening{flag: "resource_access_token_events"}
	var in *tokenGroup
	if t.ProjectID != nil {
		p, err := st.Project(ctx, *t.ProjectID)
		if err != nil {
			return err
		}
		h.at = store.Audience{Group: p.NamespaceID, Project: &p.ID}
	} else {
		g, err := st.Group(ctx, *t.NamespaceID)
		if err != nil {
			return err
		}
		h.at, in = store.Audience{Group: g.ID}, &tokenGroup{g.Name, g.Path, g.FullPath, g.ID}
	}
	return tell(ctx, st, q, h, func() ([]any, error) { return []any{newTokenPayload(t, in)}, nil })
}

package hook

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/mail"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// expiryBatch limits the tokens of one transaction.
const expiryBatch = 100

// ExpiryJob tells hooks, and by mail those who administer the group or project, of the access
// tokens that expire soon.
type ExpiryJob struct{}

// Kind returns the name of the job.
func (ExpiryJob) Kind() string { return "tell_expiring" }

// notifyExpiring sends the access tokens of groups and projects that expire soon to the hooks of
// those and of the groups above. Each token is sent once: its mark and its deliveries commit
// together.
func notifyExpiring(ctx context.Context, st *db.Store, _ ExpiryJob) error {
	for {
		n := 0
		err := st.Tx(ctx, func(st *db.Store) error {
			tokens, err := people.ClaimExpiringTokens(ctx, st, people.ExpiryNoticeDays, expiryBatch)
			if err != nil {
				return err
			}
			n = len(tokens)
			for _, t := range tokens {
				if err := fault.IgnoreNotFound(notifyToken(ctx, st, t)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n < expiryBatch {
			return err
		}
	}
}

func notifyToken(ctx context.Context, st *db.Store, t people.Token) error {
	h := occurrence{flag: "resource_access_token_events"}
	var in *tokenGroup
	var source tree.Source
	m, level := people.ExpiryMessage(t, ""), policy.Maintainer
	if t.ProjectID != nil {
		p, err := tree.FindProject(ctx, st, *t.ProjectID)
		if err != nil {
			return err
		}
		h.at, source = audience{groups: []int64{p.NamespaceID}, project: &p.ID}, tree.InProject(p)
		m.Author, m.URL = p.FullPath, "/"+p.FullPath
	} else {
		g, err := tree.FindGroup(ctx, st, *t.NamespaceID)
		if err != nil {
			return err
		}
		h.at, in = audience{groups: []int64{g.ID}}, &tokenGroup{g.Name, g.Path, g.FullPath, g.ID}
		source, level = tree.InGroup(g), policy.Owner
		m.Author, m.URL = g.FullPath, "/"+g.FullPath
	}
	if mail.Enabled(st) {
		admins, err := group.Administrators(ctx, st, source, level)
		if err == nil {
			err = mail.Send(ctx, st, admins, m)
		}
		if err != nil {
			return err
		}
	}
	return enqueueDeliveries(ctx, st, h, func() ([]any, error) { return []any{newTokenPayload(t, in)}, nil })
}

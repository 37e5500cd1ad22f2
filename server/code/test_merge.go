package code

import (
	"context"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
)

// TestMerge is a merge of a source commit into a target commit that no branch gets.
type TestMerge struct {
	Project        tree.Project // that has both commits
	By             tree.User    // who signs it
	Target, Source object.ID
	Message        string
}

// Store makes the merge commit of a test and points a hidden ref to it, such as
// refs/merge-requests/1/merge. The error is Unmergeable if the changes conflict.
func (m TestMerge) Store(ctx context.Context, st *db.Store, ref string) (id object.ID, err error) {
	if strings.ContainsRune(m.Message, 0) {
		return id, refuse("the commit message contains a NUL")
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, m.Project)
		if err != nil {
			return err
		}
		merged, err := g.TestMerge(ctx, m.Target, m.Source)
		if err != nil {
			return err
		}
		by := signatureOf(m.By, time.Now())
		c := &object.Commit{
			Tree: merged.Tree, Parents: []object.ID{m.Target, m.Source}, Message: m.Message, Author: by, Committer: by,
		}
		id = g.keep(object.Object{Kind: object.KindCommit, Data: c.Encode()})
		if err := g.storeMade(ctx); err != nil {
			return err
		}
		if err := g.indexFrom(ctx, g, []freshCommit{{id, c.Parents}}); err != nil {
			return err
		}
		return SetHiddenRefs(ctx, st, m.Project, map[string]object.ID{ref: id})
	})
	return id, err
}

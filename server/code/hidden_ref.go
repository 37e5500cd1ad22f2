package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
)

// The namespaces of hidden refs. Clients fetch one by its full name, cannot push to it and are not
// shown it otherwise. Garbage collection keeps what it reaches; a fork gets none.
const (
	MergeRequests = "refs/merge-requests/" // IID/head, the source branch; IID/merge, the merge as a test
	KeepAround    = "refs/keep-around/"    // ID: a commit that diffs and notes refer to
	Pipelines     = "refs/pipelines/"      // ID: the commit of a pipeline that runs, for its runners
)

var hiddenNames = []string{MergeRequests, KeepAround, Pipelines}

// SetHiddenRefs makes hidden refs, given by their full names, point to commits of the repository of
// a project, wherever they pointed before. The zero id removes one. There are no rules for them and
// no events. A commit may be one that the open transaction has written.
func SetHiddenRefs(ctx context.Context, st *db.Store, p tree.Project, refs map[string]object.ID) error {
	for name := range refs {
		if !slices.ContainsFunc(hiddenNames, func(in string) bool { return strings.HasPrefix(name, in) }) {
			return fmt.Errorf("set ref %s: it is not a hidden ref", name)
		}
	}
	return st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p)
		if err != nil {
			return err
		}
		return g.setRefs(ctx, st, refs)
	})
}

// Keep keeps commits, and what they reach, whatever becomes of the branches.
func Keep(ctx context.Context, st *db.Store, p tree.Project, commits ...object.ID) error {
	refs := map[string]object.ID{}
	for _, id := range commits {
		refs[KeepAround+id.String()] = id
	}
	return SetHiddenRefs(ctx, st, p, refs)
}

package code

import (
	"context"
	"fmt"

	"hew/server/git/object"
)

// fresh returns the commits that updates reach and the repository does not have, parents first.
func (g *Git) fresh(ctx context.Context, updates []Update) ([]freshCommit, error) {
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	var list []freshCommit
	type step struct {
		freshCommit
		next int // the parent to visit
	}
	seen := map[object.ID]bool{}
	var path []step
	visit := func(id object.ID) error {
		if seen[id] || h.Has(id) {
			return nil
		}
		seen[id] = true
		o, err := g.Object(ctx, id)
		if err != nil {
			return err
		}
		if o.Kind != object.KindCommit {
			return nil
		}
		c, err := object.ParseCommit(o.Data)
		if err != nil {
			return badPack(fmt.Sprintf("commit %s: %v", id, err))
		}
		path = append(path, step{freshCommit: freshCommit{id, c.Parents}})
		return nil
	}
	for _, u := range updates {
		if u.New.IsZero() {
			continue
		}
		if err := visit(u.commit); err != nil {
			return nil, err
		}
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(top.Parents) {
				list = append(list, top.freshCommit)
				path = path[:len(path)-1]
				continue
			}
			top.next++
			if err := visit(top.Parents[top.next-1]); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// Peel returns what an object points to in the end, if it is a tag. Objects that are not there any
// more are object.ErrNotFound.
func (g *Git) Peel(ctx context.Context, id object.ID) (object.ID, error) {
	h, err := g.History(ctx)
	if err != nil {
		return id, err
	}
	for range 100 { // tags of tags; a client can make a long chain
		if h.Has(id) {
			return id, nil
		}
		o, err := g.Object(ctx, id)
		if err != nil || o.Kind != object.KindTag {
			return id, err
		}
		t, err := object.ParseTag(o.Data)
		if err != nil {
			return id, badPack(fmt.Sprintf("tag %s: %v", id, err))
		}
		id = t.Object
	}
	return id, badPack("tag " + id.String() + " is a tag of too many tags")
}

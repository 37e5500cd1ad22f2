package apply

import (
	"context"
	"errors"
	"slices"

	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// lookupByKey looks up an object by its key before it is created. It returns an error if the host
// cannot tell whether the object exists.
func (j *Job) lookupByKey(
	ctx context.Context, c *plan.Change, want schema.Object,
) (live foundObject, ok bool, err error) {
	keep := slices.Clone(j.World.Kept(want.Kind))
	for attr := range want.Value.All() {
		keep = append(keep, attr.Name)
	}
	if t := want.Kind.Tree; t != nil {
		path := schema.Text(want.Get(t.Full))
		switch r := j.Reader.Find(ctx, []schema.Ask{{Kind: want.Kind, Key: path, Keep: keep}})[0]; {
		case r.State == schema.Present && len(r.Objects) > 0:
			return foundObject{r.Objects[0], nil}, true, nil
		case len(r.Objects) == 0 && r.State != schema.Absent:
			return live, false, errors.New(match.UnreadableObject(want.Kind, &schema.Ref{Path: path}, r.State, r.Err))
		}
		return live, false, nil
	}
	attr, v, known := match.Key(want)
	if !known {
		return live, false, nil
	}
	q := schema.Query{Collection: collectionOf(c, want), Kind: want.Kind, Keep: keep}
	list := match.NewCollection(q, j.Reader.Read(ctx, []schema.Query{q})[0])
	if !list.Present() {
		return live, false, errors.New(list.Unreadable(statedOwner(want)))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, i := range list.Fitting(want, attr, v) {
		if _, taken := j.Ledger.Find(q.Collection.String(), list.Objects()[i].ID); !taken {
			return foundObject{list.Objects()[i], list.Objects()}, true, nil
		}
	}
	return live, false, nil
}

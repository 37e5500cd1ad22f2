package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// EpicRef is an epic as its issues show it.
type EpicRef struct {
	ID      int64  `db:"id"`
	IID     int    `db:"iid"`
	Title   string `db:"title"`
	GroupID int64  `db:"namespace_id"`
	Path    string `db:"path"` // full path of the group
}

// EpicRefs returns epics by their ids, wherever they are.
func EpicRefs(ctx context.Context, s *db.Store, ids []int64) (map[int64]EpicRef, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return epicRefs(ctx, s, `t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
}

// EpicRefs returns those of the epics with the ids that the viewer sees.
func (v Viewer) EpicRefs(ctx context.Context, s *db.Store, ids []int64) (map[int64]EpicRef, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := v.Args()
	args["ids"] = ids
	return epicRefs(ctx, s, `t.id = any(@ids) and (`+v.seesEpics()+`) and (`+v.seesConfidentialEpics()+`)`, args)
}

// epicRefs returns the epics t of groups n that meet a condition, by id.
func epicRefs(ctx context.Context, s *db.Store, condition string, args pgx.NamedArgs) (map[int64]EpicRef, error) {
	list, err := db.Many[EpicRef](ctx, s, `
		select t.id, t.iid, t.title, t.namespace_id, n.full_path as path
		from epics t join namespaces n on n.id = t.namespace_id where `+condition, args)
	byID := make(map[int64]EpicRef, len(list))
	for _, e := range list {
		byID[e.ID] = e
	}
	return byID, err
}

// SetEpic sets the epic of an issue of a project: the one with an id, or with a number in the
// group of the project; none if both are 0. Only epics of the groups above the project can be
// set, and only those that the viewer sees.
func (v Viewer) SetEpic(ctx context.Context, st *db.Store, p tree.Project, i *Issue, id int64, iid int) error {
	if id == 0 && iid == 0 {
		i.EpicID = nil
		return nil
	}
	w := db.NewWhere(v.Args())
	w.And(`t.namespace_id in (select unnest(a.traversal_ids) from namespaces a where a.id = @namespace)`, p.NamespaceID)
	w.And(v.seesEpics())
	w.And(v.seesConfidentialEpics())
	w.AndIf(id != 0, `t.id = @id`, id)
	w.AndIf(id == 0, `t.iid = @iid and t.namespace_id = @namespace`, iid)
	epic, err := db.Value[int64](ctx, st, `
		select coalesce((select t.id from epics t join namespaces n on n.id = t.namespace_id`+w.String()+`), 0)`, w.Args)
	switch {
	case err != nil:
		return err
	case epic == 0:
		return fault.NotFound("Epic")
	}
	i.EpicID = &epic
	return nil
}

package work

import (
	"context"

	"hew/server/db"
	"hew/server/note"
)

// EpicFilter narrows a list of epics; a zero field narrows nothing (spec 2 §4.4).
type EpicFilter struct {
	Viewer
	GroupID      int64 // the group; 0 for the instance
	Above, Below bool  // with the groups above, with those below
	State        string
	Confidential *bool
	IDs          []int64 // not narrowed if nil
	ParentID     *int64
	Criteria
	Not Criteria

	Times

	Search   string
	SearchIn []string // title, description; both if empty
}

// where returns all conditions of the filter.
func (f EpicFilter) where() *db.Where {
	w := db.NewWhere(f.Args())
	within := `n.id = @namespace`
	if f.Above {
		within += ` or n.id in (select unnest(a.traversal_ids) from namespaces a where a.id = @namespace)`
	}
	if f.Below {
		within += ` or n.traversal_ids @> array[@namespace::bigint]`
	}
	w.AndIf(f.GroupID != 0, within, f.GroupID)
	w.And(f.seesEpics())
	w.And(f.seesConfidentialEpics())
	w.AndIf(f.State != "", `t.state = @state`, f.State)
	w.AndIf(f.IDs != nil, `t.id = any(@ids)`, f.IDs)
	w.AndIf(f.ParentID != nil, `t.parent_id = @parent`, f.ParentID)
	if f.Confidential != nil {
		w.And(`t.confidential = @confidential`, *f.Confidential)
	}
	is, not := Conditions{}, Conditions{Negated: true}
	f.Criteria.Into(&is, note.Epic, f.UserID)
	f.Not.Into(&not, note.Epic, f.UserID)
	is.Into(w)
	not.Into(w)
	f.Times.Into(w)
	Search(w, "epics", f.Search, f.SearchIn)
	return w
}

// epicOrders are the orders of lists of epics.
var epicOrders = db.Order{
	"created_at": `t.created_at`,
	"updated_at": `t.updated_at`,
	"title":      `t.title`,
	// of the children of an epic
	"relative_position": `t.relative_position $dir nulls last, t.id desc`,
}

// chooseEpics is the query of the epics of a list; only what lists are ordered by is read.
const chooseEpics = `
	select t.id, t.created_at, t.updated_at, t.title, t.relative_position
	from epics t join namespaces n on n.id = t.namespace_id`

// ListEpics returns a page of the epics that the filter admits, and their capped count. The
// orders of the page are created_at, updated_at, title and relative_position.
func ListEpics(ctx context.Context, s *db.Store, f EpicFilter, p db.Page) ([]Epic, int, error) {
	return db.ListChosen[Epic](ctx, s, p, epicOrders, "t.id", chooseEpics, selectEpics, f.where())
}

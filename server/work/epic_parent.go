package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// maxEpicDepth is how many levels a tree of epics has at most (more-2 §10.1).
const maxEpicDepth = 7

// Why an epic cannot be the child of another (more-2 §10.1).
const (
	ownParent      = "This epic cannot be added. An epic cannot be added to itself."
	sameParent     = "This epic cannot be added. It is already assigned to the parent epic."
	ancestorParent = "This epic cannot be added. It is already an ancestor of the parent epic."
	tooDeep        = "This epic cannot be added. One or more epics would exceed the maximum depth (7) from its most " +
		"distant ancestor."
	otherGroup = "This epic cannot be added. An epic must belong to the same group or subgroup as its parent epic."
)

// setParent checks the parent of an epic if it is another one than before, and puts the epic
// ahead of the parent's other children. The epics of the root group are locked.
func setParent(ctx context.Context, st *db.Store, before Epic, e *Epic) error {
	if e.ParentID == nil {
		e.RelativePosition = nil
		return nil
	}
	parents, err := EpicsByID(ctx, st, []int64{*e.ParentID})
	if err != nil {
		return err
	}
	parent, ok := parents[*e.ParentID]
	switch {
	case !ok:
		return fault.Invalid("parent", db.Missing)
	case parent.Confidential && !e.Confidential:
		return fault.Invalid("confidential", "A non-confidential epic cannot be assigned to a confidential parent epic")
	case db.OrZero(before.ParentID) == parent.ID:
		return nil
	}
	reason, err := parentProblem(ctx, st, parent, *e)
	if err != nil {
		return err
	}
	if reason != "" {
		return fault.Invalid("parent", reason)
	}
	order := childPositions(parent.ID)
	if err := order.lock(ctx, st); err != nil {
		return err
	}
	first, err := order.first(ctx, st)
	e.RelativePosition = &first
	return err
}

// parentProblem returns why an epic cannot be a child of another, "" if it can.
func parentProblem(ctx context.Context, st *db.Store, parent, child Epic) (string, error) {
	if parent.ID == child.ID {
		return ownParent, nil
	}
	known, err := db.One[struct {
		Below     bool `db:"below"`
		Above     bool `db:"above"`
		Ancestors int  `db:"ancestors"` // of the parent, itself included
		Levels    int  `db:"levels"`    // of the child and what is below it
	}](ctx, st, "", `
		with recursive above as (
		    select id, parent_id, 1 as depth from epics where id = @parent
		    union all
		    select e.id, e.parent_id, a.depth + 1 from epics e join above a on e.id = a.parent_id where a.depth < 20),
		below as (
		    select @child::bigint as id, 1 as depth
		    union all select e.id, b.depth + 1 from epics e join below b on e.parent_id = b.id where b.depth < 20)
		select (select n.traversal_ids @> array[@group::bigint] from namespaces n where n.id = @child_group) as below,
		       exists (select from above where id = @child) as above,
		       (select max(depth) from above) as ancestors, (select max(depth) from below) as levels`,
		pgx.NamedArgs{
			"parent": parent.ID, "child": child.ID, "group": parent.NamespaceID, "child_group": child.NamespaceID,
		})
	switch {
	case err != nil:
		return "", err
	case known.Above:
		return ancestorParent, nil
	case !known.Below:
		return otherGroup, nil
	case known.Ancestors+known.Levels > maxEpicDepth:
		return tooDeep, nil
	}
	return "", nil
}

// checkEpicContents returns an error if an epic becomes confidential that holds things which are
// not.
func checkEpicContents(ctx context.Context, st *db.Store, before, e Epic) error {
	if e.ID == 0 || before.Confidential || !e.Confidential {
		return nil
	}
	open, err := db.One[struct {
		Issues bool `db:"issues"`
		Epics  bool `db:"epics"`
	}](ctx, st, "", `
		select exists (select from issues where epic_id = @epic and not confidential) as issues,
		       exists (select from epics where parent_id = @epic and not confidential) as epics`,
		pgx.NamedArgs{"epic": e.ID})
	switch {
	case err != nil:
		return err
	case open.Issues:
		return fault.Invalid("confidential", "Cannot make the epic confidential if it contains non-confidential issues")
	case open.Epics:
		return fault.Invalid("confidential",
			"Cannot make the epic confidential if it contains non-confidential child epics")
	}
	return nil
}

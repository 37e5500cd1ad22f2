package work

import (
	"context"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
)

// Who sees an epic: those who see its group, and of a confidential one only its author and
// members from planners on (more-2 §10.1).

// seesEpics returns the condition that the viewer sees the epics of a group n.
func (v Viewer) seesEpics() string {
	if v.All {
		return `true`
	}
	return `n.visibility >= @open or ` + tree.Mine
}

// seesConfidentialEpics returns the condition that the viewer, who sees the group n of an epic t,
// sees the epic.
func (v Viewer) seesConfidentialEpics() string {
	if v.All {
		return `true`
	}
	return `not t.confidential or t.author_id = @user or ` + tree.Belongs(int(policy.Planner))
}

// seesEpic returns the condition that the viewer sees the epic @epic.
func (v Viewer) seesEpic() string {
	return `exists (select from epics t join namespaces n on n.id = t.namespace_id
		where t.id = @epic and (` + v.seesEpics() + `) and (` + v.seesConfidentialEpics() + `))`
}

// Epic returns the epic of a group that satisfies a condition, if the viewer, who has a level in
// the group and sees it, sees this one. Another one is not found.
func (v Viewer) Epic(
	ctx context.Context, s *db.Store, groupID int64, level policy.Level, which db.Condition,
) (Epic, error) {
	epics := Epics(s, groupID)
	epics.Filter = func(w *db.Where) {
		w.AndIf(!v.All && level < policy.Planner, `not t.confidential or t.author_id = @viewer`, v.UserID)
	}
	return epics.One(ctx, which)
}

// PlannedGroups returns those of the groups in which the viewer may edit epics.
func (v Viewer) PlannedGroups(ctx context.Context, s *db.Store, groups []int64) (map[int64]bool, error) {
	return v.planned(ctx, s, groups, `
		select n.id from namespaces n where n.id = any(@ids) and `+tree.Belongs(int(policy.Planner)))
}

// EpicReaders returns those of the users who see an epic or, with internal, its internal notes,
// in no order.
func EpicReaders(ctx context.Context, s *db.Store, e Epic, users []int64, internal bool) ([]int64, error) {
	standings, err := tree.Standings(ctx, s, e.Target().Container, users)
	if err != nil {
		return nil, err
	}
	var readers []int64
	for id, st := range standings {
		planner := st.Admin || st.Level >= int(policy.Planner)
		switch {
		case !st.Sees, internal && !planner, e.Confidential && !planner && !e.IsAuthor(id):
		default:
			readers = append(readers, id)
		}
	}
	return readers, nil
}

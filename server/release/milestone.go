package release

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
	"hew/server/work"
)

// MilestoneChoice names the milestones of a release, by their titles or by their ids: those of the
// project and of the groups above. An empty list that is not nil names none; nil keeps those that
// the release has.
type MilestoneChoice struct {
	Titles []string
	IDs    []int64
}

// Given reports whether the choice names milestones, or none.
func (c MilestoneChoice) Given() bool { return c.Titles != nil || c.IDs != nil }

// find returns the ids of the milestones, or a fault that lists what there is not. A choice that is
// not given has none, which is nil.
func (c MilestoneChoice) find(ctx context.Context, st *db.Store, p tree.Project) ([]int64, error) {
	if !c.Given() {
		return nil, nil
	}
	found, err := work.MilestonesNamed(ctx, st, p.Container(), c.Titles, c.IDs)
	if err != nil {
		return nil, err
	}
	ids, titles := map[int64]bool{}, map[string]bool{}
	for _, m := range found {
		ids[m.ID], titles[m.Title] = true, true
	}
	var missing []string
	for _, title := range c.Titles {
		if !titles[title] {
			missing = append(missing, title)
		}
	}
	if len(missing) > 0 {
		return nil, fault.BadRequest("Milestone(s) not found: " + strings.Join(missing, ", ")).In(fault.Text)
	}
	for _, id := range c.IDs {
		if !ids[id] {
			missing = append(missing, fmt.Sprint(id))
		}
	}
	if len(missing) > 0 {
		return nil, fault.BadRequest("Milestone id(s) not found: " + strings.Join(missing, ", ")).In(fault.Text)
	}
	list := make([]int64, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	slices.Sort(list)
	return list, nil
}

// setMilestones replaces the milestones of a release by those with the ids, unless these are nil.
func setMilestones(ctx context.Context, st *db.Store, r Release, ids []int64) error {
	if ids == nil {
		return nil
	}
	args := pgx.NamedArgs{"release": r.ID, "ids": ids}
	if err := st.Exec(ctx, `delete from release_milestones where release_id = @release and milestone_id <> all(@ids)`,
		args); err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into release_milestones (release_id, milestone_id) select @release, unnest(@ids::bigint[])
		on conflict do nothing`, args)
}

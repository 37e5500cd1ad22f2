package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// Positions are 32-bit numbers with room between them (more-2 §10.2): an issue is put between two
// others by a number in the middle, and only where there is none left the issues around move.

const (
	positionStep = 513 // between issues that are put one after the other
	positionGap  = 2   // the least between two issues that a third can be put between
	maxPosition  = 1<<31 - 1
)

// lastPosition returns the position after all issues of a project.
func lastPosition(ctx context.Context, st *db.Store, project int64) (int, error) {
	last, err := db.Value[*int](ctx, st, `select max(relative_position) from issues where project_id = @project`,
		pgx.NamedArgs{"project": project})
	switch {
	case err != nil:
		return 0, err
	case last == nil:
		return 0, nil
	case *last > maxPosition-positionStep:
		return spreadPositions(ctx, st, project)
	}
	return *last + positionStep, nil
}

// spreadPositions puts all issues of a project the step apart, in their order, and returns the
// position after them. It is for the rare project whose positions have reached the end.
func spreadPositions(ctx context.Context, st *db.Store, project int64) (int, error) {
	return db.Value[int](ctx, st, `
		with placed as (
		    update issues i set relative_position = o.place * @step
		    from (select id, row_number() over (order by relative_position nulls last, id desc) as place
		          from issues where project_id = @project) o
		    where o.id = i.id returning 1)
		select ((count(*) + 1) * @step)::int from placed`, pgx.NamedArgs{"project": project, "step": positionStep})
}

// lockPositions makes transactions that give positions in the project of an issue wait for each
// other.
func lockPositions(ctx context.Context, st *db.Store, i Issue) error {
	return st.Exclusively(ctx, "positions of "+i.Target().Container.String())
}

// ReorderIssue puts an issue between two others of its project: behind the one with the id after,
// ahead of the one with the id before; 0 for an end that was not given.
func ReorderIssue(ctx context.Context, st *db.Store, i Issue, after, before int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := lockPositions(ctx, st, i); err != nil {
			return err
		}
		at, err := positionBetween(ctx, st, i, after, before)
		if err == nil && at == nil {
			if _, err = spreadPositions(ctx, st, i.ProjectID); err == nil {
				at, err = positionBetween(ctx, st, i, after, before)
			}
		}
		if err != nil {
			return err
		}
		return st.Exec(ctx, `update issues set relative_position = @at, updated_at = now() where id = @id`,
			pgx.NamedArgs{"at": at, "id": i.ID})
	})
}

// positionBetween returns the position for an issue between two others, and moves others to make
// room. It is nil if the issues have to be spread before.
func positionBetween(ctx context.Context, st *db.Store, i Issue, after, before int64) (*int, error) {
	low, err := positionOf(ctx, st, i.ProjectID, after)
	if err != nil {
		return nil, err
	}
	high, err := positionOf(ctx, st, i.ProjectID, before)
	switch {
	case err != nil:
		return nil, err
	case low == nil && high == nil:
		return nil, fault.NotFound("Issue")
	case low == nil:
		low, err = neighbor(ctx, st, i, *high, "<")
	case high == nil:
		high, err = neighbor(ctx, st, i, *low, ">")
	case *low > *high: // in the wrong order
		low, high = high, low
	}
	if err != nil {
		return nil, err
	}
	switch {
	case low == nil && *high > positionStep-maxPosition:
		return new(*high - positionStep), nil
	case high == nil && *low < maxPosition-positionStep:
		return new(*low + positionStep), nil
	case low == nil || high == nil:
		return nil, nil
	case *high-*low >= positionGap:
		return new(*low + (*high-*low+1)/2), nil
	}
	return makeRoom(ctx, st, i, *low)
}

// positionOf returns the position of an issue of a project, nil if id is 0. One without a position
// gets the last one.
func positionOf(ctx context.Context, st *db.Store, project, id int64) (*int, error) {
	if id == 0 {
		return nil, nil
	}
	other, err := Issues(st, project).One(ctx, db.ByID(id))
	if err != nil || other.RelativePosition != nil {
		return other.RelativePosition, err
	}
	last, err := lastPosition(ctx, st, project)
	if err != nil {
		return nil, err
	}
	return &last, st.Exec(ctx, `update issues set relative_position = @last where id = @id`,
		pgx.NamedArgs{"last": last, "id": id})
}

// neighbor returns the nearest position below ("<") or above (">") one, leaving out the issue that
// moves; nil if there is none.
func neighbor(ctx context.Context, st *db.Store, i Issue, at int, than string) (*int, error) {
	nearest := `max`
	if than == ">" {
		nearest = `min`
	}
	return db.Value[*int](ctx, st, `select `+nearest+`(relative_position) from issues
		where project_id = @project and id <> @id and relative_position `+than+` @at`,
		pgx.NamedArgs{"project": i.ProjectID, "id": i.ID, "at": at})
}

// maxShifted is how many issues are moved at most to make room for one.
const maxShifted = 10_000

// makeRoom moves the issues between a position and the next hole above it up into that hole, by
// half of it, and returns the position in the room that this makes. It is nil if no hole is near.
func makeRoom(ctx context.Context, st *db.Store, i Issue, low int) (*int, error) {
	return db.Value[*int](ctx, st, `
		with near as (
		    select relative_position as at, coalesce(lead(relative_position) over (order by relative_position),
		        case when count(*) over () < @most then @last::int end) as next
		    from (select relative_position from issues
		          where project_id = @project and id <> @id and relative_position > @low
		          order by relative_position limit @most) n),
		hole as (select at, least((next - at)::bigint / 2, @step) as half from near where next - at::bigint >= 4
		         order by at limit 1),
		moved as (
		    update issues set relative_position = relative_position + half from hole
		    where project_id = @project and issues.id <> @id and relative_position > @low and relative_position <= at
		    returning 1)
		select case when exists (select from moved) then (select @low + (half + 1) / 2 from hole)::int end`,
		pgx.NamedArgs{
			"project": i.ProjectID, "id": i.ID, "low": low, "last": maxPosition, "step": positionStep,
			"most": maxShifted,
		})
}

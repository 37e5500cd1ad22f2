package work

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// Positions are 32-bit numbers with room between them (more-2 §10.2): a row is put between two
// others by a number in the middle, and only where there is none left the rows around move.

const (
	positionStep = 513 // between rows that are put one after the other
	positionGap  = 2   // the least between two rows that a third can be put between
	maxPosition  = 1<<31 - 1
)

// positions is an order that people make by hand: of the rows of a table that belong to the same
// thing. Rows without a position come last, by id, the newest first.
type positions struct {
	table, column string
	scope         string // the column of what the rows belong to
	of            int64  // its id
}

// issuePositions is the order of the issues of a project.
func issuePositions(project int64) positions {
	return positions{table: "issues", column: "relative_position", scope: "project_id", of: project}
}

// sql returns a query with the names of the table and of its columns: $rows stands for the table,
// $at for the position, and $in for the condition that a row belongs to the thing @of.
func (p positions) sql(query string) string {
	return strings.NewReplacer("$rows", p.table, "$at", p.column, "$in", p.scope+" = @of").Replace(query)
}

// args returns the arguments of a query with those of the order.
func (p positions) args(args pgx.NamedArgs) pgx.NamedArgs {
	args["of"] = p.of
	return args
}

// last returns the position after all rows.
func (p positions) last(ctx context.Context, st *db.Store) (int, error) {
	last, err := db.Value[*int](ctx, st, p.sql(`select max($at) from $rows where $in`), p.args(pgx.NamedArgs{}))
	switch {
	case err != nil:
		return 0, err
	case last == nil:
		return 0, nil
	case *last > maxPosition-positionStep:
		return p.spread(ctx, st)
	}
	return *last + positionStep, nil
}

// first returns the position ahead of all rows.
func (p positions) first(ctx context.Context, st *db.Store) (int, error) {
	first, err := db.Value[*int](ctx, st, p.sql(`select min($at) from $rows where $in`), p.args(pgx.NamedArgs{}))
	switch {
	case err != nil:
		return 0, err
	case first == nil:
		return 0, nil
	case *first < positionStep-maxPosition:
		_, err = p.spread(ctx, st)
		return 0, err
	}
	return *first - positionStep, nil
}

// spread puts all rows the step apart, in their order, and returns the position after them. It is
// for the rare order whose positions have reached an end.
func (p positions) spread(ctx context.Context, st *db.Store) (int, error) {
	return db.Value[int](ctx, st, p.sql(`
		with placed as (
		    update $rows i set $at = o.place * @step
		    from (select id, row_number() over (order by $at nulls last, id desc) as place
		          from $rows where $in) o
		    where o.id = i.id returning 1)
		select ((count(*) + 1) * @step)::int from placed`), p.args(pgx.NamedArgs{"step": positionStep}))
}

// ReorderIssue puts an issue between two others of its project: behind the one with the id after,
// ahead of the one with the id before; 0 for an end that was not given.
func ReorderIssue(ctx context.Context, st *db.Store, i Issue, after, before int64) error {
	return issuePositions(i.ProjectID).put(ctx, st, i.ID, after, before)
}

// lock makes transactions that give positions in the order wait for each other.
func (p positions) lock(ctx context.Context, st *db.Store) error {
	return st.Exclusively(ctx, fmt.Sprint("positions of ", p.table, " of ", p.scope, " ", p.of))
}

// put puts a row between two others. It locks the rows that it moves before the order, as everybody
// does who changes one of them.
func (p positions) put(ctx context.Context, st *db.Store, id, after, before int64) error {
	ids, err := idsOf(ctx, st, p.sql(`select id from $rows where $in and id = any(@ids)`),
		p.args(pgx.NamedArgs{"ids": []int64{id, after, before}}))
	if err != nil {
		return err
	}
	return lockInOrder(ctx, st, rowLocks{p.table, ids}, func(st *db.Store, rows *rowLocks) error {
		if err := p.lock(ctx, st); err != nil {
			return err
		}
		at, err := p.between(ctx, st, rows, id, after, before)
		if err == nil && at == nil {
			if err = p.needAll(ctx, st, rows); err != nil {
				return err
			}
			if _, err = p.spread(ctx, st); err == nil {
				at, err = p.between(ctx, st, rows, id, after, before)
			}
		}
		if err != nil {
			return err
		}
		return st.Exec(ctx, p.sql(`update $rows set $at = @at, updated_at = now() where id = @id`),
			pgx.NamedArgs{"at": at, "id": id})
	})
}

// needAll needs all rows of the order locked.
func (p positions) needAll(ctx context.Context, st *db.Store, rows *rowLocks) error {
	all, err := idsOf(ctx, st, p.sql(`select id from $rows where $in`), p.args(pgx.NamedArgs{}))
	if err != nil {
		return err
	}
	return rows.need(all...)
}

// between returns the position for a row between two others, and moves others to make room. It is
// nil if the rows have to be spread before.
func (p positions) between(
	ctx context.Context, st *db.Store, rows *rowLocks, id, after, before int64,
) (*int, error) {
	low, err := p.at(ctx, st, after)
	if err != nil {
		return nil, err
	}
	high, err := p.at(ctx, st, before)
	switch {
	case err != nil:
		return nil, err
	case low == nil && high == nil:
		return nil, fault.NotFound("")
	case low == nil:
		low, err = p.neighbor(ctx, st, id, *high, "<")
	case high == nil:
		high, err = p.neighbor(ctx, st, id, *low, ">")
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
	return p.makeRoom(ctx, st, rows, id, *low)
}

// at returns the position of a row, nil if id is 0. One without a position gets the last one.
func (p positions) at(ctx context.Context, st *db.Store, id int64) (*int, error) {
	if id == 0 {
		return nil, nil
	}
	at, err := db.One[struct {
		At *int `db:"at"`
	}](ctx, st, "", p.sql(`select $at as at from $rows where $in and id = @id`), p.args(pgx.NamedArgs{"id": id}))
	if err != nil || at.At != nil {
		return at.At, err
	}
	last, err := p.last(ctx, st)
	if err != nil {
		return nil, err
	}
	return &last, st.Exec(ctx, p.sql(`update $rows set $at = @last where id = @id`),
		pgx.NamedArgs{"last": last, "id": id})
}

// neighbor returns the nearest position below ("<") or above (">") one, leaving out the row that
// moves; nil if there is none.
func (p positions) neighbor(ctx context.Context, st *db.Store, id int64, at int, than string) (*int, error) {
	nearest := `max`
	if than == ">" {
		nearest = `min`
	}
	return db.Value[*int](ctx, st, p.sql(`select `+nearest+`($at) from $rows
		where $in and id <> @id and $at `+than+` @at`), p.args(pgx.NamedArgs{"id": id, "at": at}))
}

// maxShifted is how many rows are moved at most to make room for one.
const maxShifted = 10_000

// makeRoom moves the rows between a position and the next hole above it up into that hole, by
// half of it, and returns the position in the room that this makes. It is nil if no hole is near.
func (p positions) makeRoom(ctx context.Context, st *db.Store, rows *rowLocks, id int64, low int) (*int, error) {
	hole, err := db.One[struct {
		Place *int `db:"place"` // of the last row before it; nil: there is none
		Half  int  `db:"half"`
	}](ctx, st, "", p.sql(`
		with near as (
		    select place, coalesce(lead(place) over (order by place),
		        case when count(*) over () < @most then @last::int end) as next
		    from (select $at as place from $rows
		          where $in and id <> @id and $at > @low
		          order by $at limit @most) n),
		hole as (select place, least((next - place)::bigint / 2, @step)::int as half from near
		         where next - place::bigint >= 4 order by place limit 1)
		select (select place from hole) as place, coalesce((select half from hole), 0) as half`),
		p.args(pgx.NamedArgs{
			"id": id, "low": low, "last": maxPosition, "step": positionStep, "most": maxShifted,
		}))
	if err != nil || hole.Place == nil {
		return nil, err
	}
	const between = ` from $rows where $in and id <> @id and $at > @low and $at <= @place`
	args := p.args(pgx.NamedArgs{"id": id, "low": low, "place": *hole.Place, "half": hole.Half})
	ids, err := idsOf(ctx, st, p.sql(`select id`+between), args)
	if err == nil {
		err = rows.need(ids...)
	}
	if err != nil {
		return nil, err
	}
	err = st.Exec(ctx, p.sql(`update $rows set $at = $at + @half where id = any(@ids)`),
		pgx.NamedArgs{"half": hole.Half, "ids": ids})
	return new(low + (hole.Half+1)/2), err
}

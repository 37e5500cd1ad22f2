package work_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/work"
)

// shelf is a project with issues, and the order that they have to be in.
type shelf struct {
	board
	issues map[int64]work.Issue
	order  []int64
}

func newShelf(t *testing.T, n int) *shelf {
	s := &shelf{board: newBoard(t), issues: map[int64]work.Issue{}}
	for range n {
		i, err := work.CreateIssue(t.Context(), s.Store, s.site, s.alice, func(_ *db.Store, i *work.Issue) error {
			i.Title = "Issue"
			return nil
		})
		require.NoError(t, err)
		s.issues[i.ID], s.order = i, append(s.order, i.ID)
	}
	return s
}

// move puts an issue behind another one, or ahead of it, in the order that has to be.
func (s *shelf) move(id, beside int64, behind bool) {
	s.order = slices.DeleteFunc(s.order, func(other int64) bool { return other == id })
	at := slices.Index(s.order, beside)
	if behind {
		at++
	}
	s.order = slices.Insert(s.order, at, id)
}

// stored returns the issues in the order of their positions, which have to differ.
func (s *shelf) stored(t *testing.T) (ids []int64) {
	type row struct {
		ID       int64 `db:"id"`
		Position int   `db:"relative_position"`
	}
	rows, err := db.Many[row](t.Context(), s.Store, `
		select id, relative_position from issues where project_id = @project order by relative_position, id`,
		pgx.NamedArgs{"project": s.site.ID})
	require.NoError(t, err)
	for n, r := range rows {
		if n > 0 {
			require.Less(t, rows[n-1].Position, r.Position, "two issues have one position")
		}
		ids = append(ids, r.ID)
	}
	return ids
}

// TestReorder reorders at random, and in the two ways that use room up fastest: always between the
// same two, and always to the front. The order is that of a list, and no two positions are equal.
func TestReorder(t *testing.T) {
	t.Parallel()
	s, random := newShelf(t, 40), rand.New(rand.NewPCG(7, 7))
	for n := range 10_000 {
		id, beside := s.order[random.IntN(len(s.order))], s.order[random.IntN(len(s.order))]
		behind := random.IntN(2) == 0
		switch n % 5 {
		case 0, 1: // between the first two, in turns
			id, beside, behind = s.order[len(s.order)-1], s.order[0], true
		case 2:
			id, beside, behind = s.order[len(s.order)/2], s.order[0], false
		}
		if id == beside {
			continue
		}
		after, before := beside, int64(0)
		if !behind {
			after, before = 0, beside
		}
		require.NoError(t, work.ReorderIssue(t.Context(), s.Store, s.issues[id], after, before))
		s.move(id, beside, behind)
		if n%500 == 0 {
			require.Equal(t, s.order, s.stored(t), "after %d moves", n)
		}
	}
	require.Equal(t, s.order, s.stored(t))
}

// TestReorderMovesFew puts an issue between two neighbors that have no room, in a project of many:
// only the issues up to the next hole move.
func TestReorderMovesFew(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 60)
	exec := func(sql string) {
		require.NoError(t, s.Store.Exec(t.Context(), sql, pgx.NamedArgs{"project": s.site.ID}))
	}
	exec(`update issues set relative_position = iid, updated_at = '2000-01-01' where project_id = @project and iid <= 30`)
	exec(`update issues set relative_position = 1000 * iid, updated_at = '2000-01-01'
		where project_id = @project and iid > 30`)
	positions := func() map[int64]int {
		type row struct {
			ID       int64 `db:"id"`
			Position int   `db:"relative_position"`
		}
		rows, err := db.Many[row](t.Context(), s.Store, `select id, relative_position from issues`, nil)
		require.NoError(t, err)
		byID := map[int64]int{}
		for _, r := range rows {
			byID[r.ID] = r.Position
		}
		return byID
	}
	before := positions()
	last := s.order[59]
	require.NoError(t, work.ReorderIssue(t.Context(), s.Store, s.issues[last], s.order[24], 0))
	s.move(last, s.order[24], true)
	require.Equal(t, s.order, s.stored(t))
	moved := 0
	for id, at := range positions() {
		if before[id] != at {
			moved++
		}
	}
	require.Equal(t, 1+5, moved, "the issue, and the five between it and the hole")
}

// TestReorderAtOnce reorders in several transactions at once, while issues are made.
func TestReorderAtOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 12)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 3))
			for range 40 {
				id, beside := s.order[random.IntN(12)], s.order[random.IntN(12)]
				if id != beside {
					assert.NoError(t, work.ReorderIssue(t.Context(), s.Store, s.issues[id], beside, 0))
				}
			}
		})
	}
	all.Go(func() {
		for range 20 {
			_, err := work.CreateIssue(t.Context(), s.Store, s.site, s.alice, func(_ *db.Store, i *work.Issue) error {
				i.Title = "More"
				return nil
			})
			assert.NoError(t, err)
		}
	})
	all.Wait()
	require.Len(t, s.stored(t), 32)
}

// TestReorderAtTheEnds reaches both ends of the numbers, where the issues are spread again.
func TestReorderAtTheEnds(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 5)
	exec := func(sql string, id int64) {
		require.NoError(t, s.Store.Exec(t.Context(), sql, pgx.NamedArgs{"id": id}))
	}
	exec(`update issues set relative_position = 2147483647 where id = @id`, s.order[4])
	exec(`update issues set relative_position = -2147483647 where id = @id`, s.order[0])
	require.NoError(t, work.ReorderIssue(t.Context(), s.Store, s.issues[s.order[1]], s.order[4], 0))
	s.move(s.order[1], s.order[4], true)
	require.Equal(t, s.order, s.stored(t))
	exec(`update issues set relative_position = -2147483647 where id = @id`, s.order[0])
	require.NoError(t, work.ReorderIssue(t.Context(), s.Store, s.issues[s.order[2]], 0, s.order[0]))
	s.move(s.order[2], s.order[0], false)
	require.Equal(t, s.order, s.stored(t))
	exec(`update issues set relative_position = 2147483647 where id = @id`, s.order[4])
	i, err := work.CreateIssue(t.Context(), s.Store, s.site, s.alice, func(_ *db.Store, i *work.Issue) error {
		i.Title = "Last"
		return nil
	})
	require.NoError(t, err)
	s.order = append(s.order, i.ID)
	require.Equal(t, s.order, s.stored(t))
}

package work_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
	"hew/server/work"
)

// addEpics gives the groups of an estate random visibilities that their parents allow, and epics.
func (e *estate) addEpics(t *testing.T) (epics []work.Epic) {
	for n, g := range e.groups {
		most := db.Public
		for _, above := range e.groups[:n] {
			if slices.Contains(g.TraversalIDs, above.ID) {
				most = min(most, above.Visibility)
			}
		}
		e.groups[n].Visibility = min(most, db.Visibility(10*e.IntN(3)))
		require.NoError(t, e.Store.Exec(t.Context(), `update namespaces set visibility = @visibility where id = @id`,
			pgx.NamedArgs{"visibility": e.groups[n].Visibility, "id": g.ID}))
		for k := range 6 {
			author := e.users[e.IntN(len(e.users))]
			made, err := work.CreateEpic(t.Context(), e.Store, g, author, func(_ *db.Store, i *work.Epic) error {
				i.Title, i.Confidential = fmt.Sprint("Epic ", k), e.IntN(2) == 0
				return nil
			})
			require.NoError(t, err)
			epics = append(epics, made)
		}
	}
	return epics
}

// levelInGroup is the highest level in a group, inherited or not. Minimal access counts in the
// group itself alone.
func (e *estate) levelInGroup(u tree.User, g tree.Group) (level int) {
	for _, id := range g.TraversalIDs {
		level = max(level, e.level[u.ID][db.Container{NamespaceID: &id}.String()])
	}
	return level
}

// isInside reports whether a user belongs to something in a group, or has minimal access to it.
func (e *estate) isInside(u tree.User, g tree.Group) bool {
	for _, p := range e.projects {
		below := slices.ContainsFunc(e.above[p.ID], func(c db.Container) bool {
			return c.NamespaceID != nil && *c.NamespaceID == g.ID
		})
		if below && e.level[u.ID][p.Container().String()] > 0 {
			return true
		}
	}
	for _, sub := range e.groups {
		if slices.Contains(sub.TraversalIDs, g.ID) && e.level[u.ID][sub.Container().String()] > 0 {
			return true
		}
	}
	return false
}

// TestEpicVisibility holds lists of epics, single epics and the readers of an epic to the rule of
// more-2 §10.1, for every user of random worlds.
func TestEpicVisibility(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		e := newEstate(t, seed)
		epics := e.addEpics(t)
		for _, u := range e.users {
			v := work.Viewer{UserID: u.ID, Open: e.open(u), All: u.Admin}
			var seen []int64
			for _, epic := range epics {
				g := e.groups[slices.IndexFunc(e.groups, func(g tree.Group) bool { return g.ID == epic.NamespaceID })]
				level := e.levelInGroup(u, g)
				open := u.Admin || level >= 10 || g.Visibility >= e.open(u)
				visible := !epic.Confidential || u.Admin || level >= 15 || epic.IsAuthor(u.ID)
				if visible && (open || e.isInside(u, g)) {
					seen = append(seen, epic.ID)
				}
				about := fmt.Sprintf("seed %d, user %d, epic %d", seed, u.ID, epic.ID)
				readers, err := work.EpicReaders(t.Context(), e.Store, epic, []int64{u.ID}, false)
				require.NoError(t, err)
				require.Equal(t, visible && open, len(readers) == 1, about)
				_, err = v.Epic(t.Context(), e.Store, g.ID, policy.Level(level), db.ByID(epic.ID))
				require.Equal(t, visible, err == nil, about)
			}
			list, total, err := work.ListEpics(t.Context(), e.Store, work.EpicFilter{Viewer: v}, db.Page{Limit: 100})
			require.NoError(t, err)
			require.Len(t, list, total)
			var ids []int64
			for _, epic := range list {
				ids = append(ids, epic.ID)
			}
			slices.Sort(ids)
			require.Equal(t, seen, ids, "seed %d, user %d", seed, u.ID)
		}
	}
}

package servertest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
	"hew/server/tree"
)

// World is an empty database, with methods that fill it without going through the API. It has no
// listeners and no jobs.
type World struct {
	*db.Store
	t testing.TB
}

// NewWorld returns a world that ends with the test.
func NewWorld(t testing.TB) World { return World{Store(t), t} }

// World returns the database of a server, whose listeners and jobs it has.
func (s *Server) World(t testing.TB) World { return World{s.Store, t} }

// In returns the world for a subtest.
func (w World) In(t testing.TB) World { return World{w.Store, t} }

// User makes a user of that name.
func (w World) User(name string) tree.User {
	w.t.Helper()
	u, err := tree.CreateUser(w.t.Context(), w.Store, tree.NewUser(name, name, name+"@example.com"))
	require.NoError(w.t, err)
	return u
}

// Group makes a group of that path below parent, which may be nil. The owner may be 0, for none.
func (w World) Group(path string, parent *tree.Group, owner int64) tree.Group {
	w.t.Helper()
	var id *int64
	if parent != nil {
		id = &parent.ID
	}
	g, err := group.InsertGroup(w.t.Context(), w.Store, tree.NewGroup(path, path, id), owner)
	require.NoError(w.t, err)
	return g
}

// Project makes a project of that path in a namespace. The creator may be 0, for nobody.
func (w World) Project(path string, namespace int64, creator int64) tree.Project {
	w.t.Helper()
	p, err := project.InsertProject(w.t.Context(), w.Store, tree.NewProject(path, path, namespace), creator)
	require.NoError(w.t, err)
	return p
}

// Member stores a membership.
func (w World) Member(m group.Member) group.Member {
	w.t.Helper()
	m, err := group.AddMember(w.t.Context(), w.Store, m)
	require.NoError(w.t, err)
	return m
}

// AwaitLock returns when a statement on the store's database waits for a lock. It fails the test
// after 10 seconds.
func AwaitLock(t testing.TB, s *db.Store) {
	t.Helper()
	require.Eventually(t, func() bool {
		n, err := db.Value[int](t.Context(), s, `
			select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`, nil)
		return err == nil && n > 0
	}, 10*time.Second, time.Millisecond, "no statement waits for a lock")
}

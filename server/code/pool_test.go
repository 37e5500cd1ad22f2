package code_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/servertest"
	"hew/server/tree"
)

// Transactions that have all connections of the pool, and readers that have none, want the commits
// of one repository at once: none waits for a connection while others wait for it.
func TestReadersAndTransactionsShareThePool(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	alice := s.User(t, "alice")
	var made servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{
		"name": "site", "initialize_with_readme": true,
	}).Into(t, &made)
	p, err := tree.FindProject(t.Context(), s.Store, made.ID)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	read := func(st *db.Store) error {
		g, err := code.Open(ctx, st, p)
		if err == nil {
			_, err = g.History(ctx)
		}
		return err
	}
	for range 30 {
		connections := int(s.Store.DB().(*pgxpool.Pool).Config().MaxConns)
		errs := make(chan error, 3*connections)
		var open sync.WaitGroup
		open.Add(connections)
		for range connections {
			go func() {
				errs <- s.Store.Tx(ctx, func(st *db.Store) error {
					open.Done()
					open.Wait()
					runtime.Gosched() // to the readers
					return read(st)
				})
			}()
		}
		for range 2 * connections {
			go func() { errs <- read(s.Store) }()
		}
		for range 3 * connections {
			require.NoError(t, <-errs)
		}
	}
}

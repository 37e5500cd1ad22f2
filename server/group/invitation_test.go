package group_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/group"
	"hew/server/servertest"
	"hew/server/tree"
)

// The locale of the database decides whether É and é differ only in case.
func TestConfirmedEmails(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	u := tree.NewUser("emile", "Émile", "Émile@example.com")
	u.ConfirmedAt = new(time.Now())
	u, err := tree.CreateUser(t.Context(), st, u)
	require.NoError(t, err)
	found, err := group.FindConfirmedUsers(t.Context(), st, []string{"Émile@EXAMPLE.com", "nobody@example.com"})
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"Émile@EXAMPLE.com": u.ID}, found)
}

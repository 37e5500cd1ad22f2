package group_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/group"
	"hew/server/servertest"
	"hew/server/tree"
)

// What is the same in another case is the database's to say: with some of its locales, É and é are
// not.
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

package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/store"
)

// What is the same in another case is the database's to say: with some of its locales, É and é are not.
func TestConfirmedEmails(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	u := store.NewUser("emile", "Émile", "Émile@example.com")
	u.ConfirmedAt = new(time.Now())
	u, err := st.CreateUser(t.Context(), u)
	require.NoError(t, err)
	found, err := st.ConfirmedEmails(t.Context(), []string{"Émile@EXAMPLE.com", "nobody@example.com"})
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"Émile@EXAMPLE.com": u.ID}, found)
}

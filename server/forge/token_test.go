package forge

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/store"
)

func TestBotsHaveNoTokenOfTheirOwn(t *testing.T) {
	t.Parallel()
	_, err := CreateToken(t.Context(), nil, store.User{Bot: true}, store.Token{Scopes: []string{"self_rotate"}})
	require.ErrorContains(t, err, "a bot has no token but its access token")
}

func TestLimitsOfNewUsersCanBeKept(t *testing.T) {
	t.Parallel()
	require.Equal(t, math.MaxInt32, newUser(store.Settings{DefaultProjectsLimit: 1 << 60}, "").ProjectsLimit)
}

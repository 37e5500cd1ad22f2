package group

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/people"
	"hew/server/setting"
	"hew/server/tree"
)

func TestBotsHaveNoTokenOfTheirOwn(t *testing.T) {
	t.Parallel()
	_, err := people.CreateToken(t.Context(), nil, tree.User{Bot: true}, people.Token{Scopes: []string{"self_rotate"}})
	require.ErrorContains(t, err, "a bot has no token but its access token")
}

func TestLimitsOfNewUsersCanBeKept(t *testing.T) {
	t.Parallel()
	require.Equal(t, math.MaxInt32, people.NewUser(setting.Settings{DefaultProjectsLimit: 1 << 60}, "").ProjectsLimit)
}

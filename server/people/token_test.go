package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/people"
	"hew/server/tree"
)

func TestBotsHaveNoTokenOfTheirOwn(t *testing.T) {
	t.Parallel()
	_, err := people.CreateToken(t.Context(), nil, tree.User{Bot: true}, people.Token{Scopes: []string{"self_rotate"}})
	require.ErrorContains(t, err, "A bot user can have only its own access token.")
}

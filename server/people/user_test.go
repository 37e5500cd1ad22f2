package people_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/people"
	"hew/server/setting"
)

func TestLimitsOfNewUsersCanBeKept(t *testing.T) {
	t.Parallel()
	require.Equal(t, math.MaxInt32, people.NewUser(setting.Settings{DefaultProjectsLimit: 1 << 60}, "").ProjectsLimit)
}

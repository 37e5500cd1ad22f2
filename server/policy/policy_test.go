package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/policy"
)

func TestMayGrant(t *testing.T) {
	t.Parallel()
	maintainer := policy.Who{ID: 1, Level: policy.Maintainer}
	require.True(t, policy.MayGrant(maintainer, policy.Maintainer))
	require.False(t, policy.MayGrant(maintainer, policy.Owner))
	require.True(t, policy.MayGrant(policy.Who{ID: 1, Admin: true}, policy.Owner))
	require.False(t, policy.MayGrant(policy.Who{ID: 1, Admin: true}, policy.Owner+10), "no such role")
}

func TestTheZeroAbilityIsNobodys(t *testing.T) {
	t.Parallel()
	require.False(t, policy.Can(policy.Who{ID: 1, Admin: true}, policy.Ability{}, policy.On{Visibility: policy.Public}))
}

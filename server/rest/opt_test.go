package rest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/rest"
)

func TestOpt(t *testing.T) {
	t.Parallel()
	var absent rest.Opt[int]
	tests := []struct {
		opt         rest.Opt[int]
		given, null bool
		or, into    int
	}{
		{absent, false, false, 5, 9},
		{rest.Null[int](), true, true, 5, 0},
		{rest.Some(7), true, false, 7, 7},
	}
	for _, tt := range tests {
		into := 9
		tt.opt.Into(&into)
		require.Equal(t, tt.into, into)
		require.Equal(t, tt.or, tt.opt.Or(5))
		require.Equal(t, tt.given, tt.opt.Given())
		require.Equal(t, tt.null, tt.opt.IsNull())
		_, ok := tt.opt.Value()
		require.Equal(t, tt.given && !tt.null, ok)
	}
}

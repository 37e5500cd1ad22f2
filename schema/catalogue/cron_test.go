package catalogue

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestZones(t *testing.T) {
	t.Parallel()
	for name, of := range zones() {
		zone, err := LoadZone(name)
		require.NoError(t, err, "%s: %s", name, of)
		require.Equal(t, of, zone.String(), name)
	}
	for _, name := range []string{"", "Local", "Europe/Nowhere", "Nowhere Time (US & Canada)"} {
		_, err := LoadZone(name)
		require.Error(t, err, name)
	}
}

func TestCron(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"0 4 * * *", "*/20 9-17/4 L jan-jun mon-fri", "0 0 * * MON#1", "0 0 * * 7"} {
		_, err := ParseCron(s)
		require.NoError(t, err, s)
	}
	for _, s := range []string{"", "* * * *", "* * * * * *", "60 * * * *", "a b c d e", "@daily"} {
		_, err := ParseCron(s)
		require.Error(t, err, s)
	}
}

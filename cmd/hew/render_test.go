package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The bars of a plan of 10,000 changes in any format, in seconds of CPU and in bytes. Together with planning, whose own
// benchmark says half a second, they stay below the three seconds that anybody should wait beyond the host.
const (
	renderSeconds = 1.5
	webBytes      = 12 << 20
)

// TestWebIsSmall: what a browser has to read of 10,000 changes.
func TestWebIsSmall(t *testing.T) {
	t.Parallel()
	require.Less(t, len(browsed(t, year(10_000))), webBytes)
}

package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDelayGC: nothing is collected at first, and as ever after the first time. Not parallel: it is
// about the whole process.
func TestDelayGC(t *testing.T) {
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	percent := func() int {
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		return now
	}

	delayGC(map[string]string{"GOGC": "50"})
	require.Equal(t, 100, percent(), "who says otherwise is heard")
	delayGC(nil)
	require.Equal(t, -1, percent())
	for range 1000 {
		if runtime.GC(); percent() == 100 {
			break
		}
	}
	require.Equal(t, 100, percent())
	require.Equal(t, int64(math.MaxInt64), debug.SetMemoryLimit(-1))
}

package heap

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nothing is collected at first, and after the first time everything is as usual. Not parallel: it
// is about the whole process.
func TestDelay(t *testing.T) {
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	percent := func() int {
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		return now
	}

	delay(func(key string) string { return map[string]string{"GOGC": "50"}[key] })
	require.Equal(t, 100, percent(), "GOGC wins")
	delay(func(string) string { return "" })
	require.Equal(t, -1, percent())
	for range 1000 {
		if runtime.GC(); percent() == 100 {
			break
		}
	}
	require.Equal(t, 100, percent())
	require.Equal(t, int64(math.MaxInt64), debug.SetMemoryLimit(-1))
}

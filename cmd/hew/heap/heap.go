// Package heap delays the garbage collection of the programs that import it. Nearly every run of
// hew ends with a heap smaller than Small, so it needs none, and without one it saves a fifth of
// its CPU time. It does its work in its own initialisation, and imports so little that this comes
// before what other packages allocate in theirs.
package heap

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// Small is the heap size, in bytes, at which the first garbage collection starts.
const Small = 48 << 20

func init() { delay(os.Getenv) }

// delay turns the garbage collector off until the heap has grown to Small. GOGC and GOMEMLIMIT win.
func delay(getenv func(string) string) {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return
	}
	usual := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(Small)
	// The finalizer runs at the first collection, for nothing refers to its object.
	runtime.SetFinalizer(new([1 << 5]byte), func(*[1 << 5]byte) {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(usual)
	})
}

package cli

import (
	"math"
	"runtime"
	"runtime/debug"
)

// smallHeap is the heap size, in bytes, at which the first garbage collection starts. Nearly every
// run stays below.
const smallHeap = 48 << 20

// delayGC turns the garbage collector off until the heap has grown to smallHeap, which saves a
// small run a fifth of its CPU time. GOGC and GOMEMLIMIT win.
func delayGC(env map[string]string) {
	if env["GOGC"] != "" || env["GOMEMLIMIT"] != "" {
		return
	}
	usual := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(smallHeap)
	// The finalizer runs at the first collection, for nothing refers to its object.
	runtime.SetFinalizer(new([1 << 5]byte), func(*[1 << 5]byte) {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(usual)
	})
}

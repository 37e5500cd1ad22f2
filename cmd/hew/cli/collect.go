package cli

import (
	"math"
	"runtime"
	"runtime/debug"
)

// small is what a run may take before memory is collected at all. Nearly every run ends within it.
const small = 48 << 20

// collectLate has nothing collected until a run has taken what a small one takes: that spares a fifth of its CPU. From
// then on it is as ever. Whoever has set GOGC or GOMEMLIMIT has it as they say.
func collectLate(env map[string]string) {
	if env["GOGC"] != "" || env["GOMEMLIMIT"] != "" {
		return
	}
	usual := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(small)
	// The first collection finds that nobody holds this.
	runtime.SetFinalizer(new([1 << 5]byte), func(*[1 << 5]byte) {
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(usual)
	})
}

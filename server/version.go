package server

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Version is the release of the public API that hewd implements. GET /version returns it, and
// clients decide by it which requests they may send.
const Version = "17.2.0-ee"

// Build names the program that runs, as opposed to the API that it implements. The zero value of a
// field is its default.
type Build struct {
	Version string // release of hewd ("dev")
	Commit  string // short hash (what Revision returns)
	Go      string // version of Go that compiled it (that of the runtime)
}

func (b Build) withDefaults() Build {
	return Build{
		Version: cmp.Or(b.Version, "dev"),
		Commit:  cmp.Or(b.Commit, Revision()),
		Go:      cmp.Or(b.Go, runtime.Version()),
	}
}

// Revision returns the short hash of the commit that this binary was built from, or "unknown" if it
// was built outside a checkout.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 11 {
			return s.Value[:11]
		}
	}
	return "unknown"
}

// Package release reports what a program was built from: its version, its commit and its modules.
// All but the version comes from what Go writes into every binary, so it is right for any build.
//
// # Releases
//
// .ci/dist makes a release (make dist). .ci/disttest makes it twice, compares the two, runs lintian
// on the packages if it is installed, and installs them in a copy of the machine's files (make
// disttest). Neither is part of make check, because building ten programs takes minutes; that
// everything compiles for Windows and macOS is.
//
//   - Each program has its own Dockerfile beside its main package, and next to that the files of
//     its Debian package. Tests of this package check that the Dockerfiles build in the same way,
//     and that the settings of the packages exist.
//   - .ci/sbom makes a bill of materials from the binary, not from go.mod, so it lists what is
//     linked, also for another system. Its form is a struct of thirty lines and needs no library.
//   - nfpm makes the Debian packages. It is pinned in .ci/dist and is not a tool of go.mod, which
//     would get its fifty modules.
package release

import (
	"runtime/debug"
	"strings"
)

// Unknown is the version of a build that is neither a release nor installed as a module.
const Unknown = "dev"

// Build is what a program was built from. The commit is empty if it was not built in a checkout.
type Build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	CommitDate string `json:"commit_date,omitempty"`
	Dirty      bool   `json:"dirty"` // the checkout had uncommitted changes
	Go         string `json:"go"`
	Platform   string `json:"platform"`
}

// Current returns the build of the running program. linked is the version that was linked into it.
func Current(linked string) Build {
	info, ok := debug.ReadBuildInfo()
	if !ok { // only in a build without modules
		info = &debug.BuildInfo{}
	}
	return FromBuildInfo(info, linked)
}

// FromBuildInfo returns the build of a binary with that build info. The version is linked, or else
// that of the installed module. The version that Go derives for a checkout is ignored, because the
// commit is more precise.
func FromBuildInfo(info *debug.BuildInfo, linked string) Build {
	b := Build{Version: linked, Go: info.GoVersion}
	if linked == Unknown && info.Main.Sum != "" {
		b.Version = info.Main.Version
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	b.Commit, b.CommitDate, b.Dirty = set["vcs.revision"], set["vcs.time"], set["vcs.modified"] == "true"
	b.Platform = strings.Trim(set["GOOS"]+"/"+set["GOARCH"], "/")
	return b
}

// String returns the version, with the short commit if there is one.
func (b Build) String() string {
	if b.Commit == "" {
		return b.Version
	}
	mark := ""
	if b.Dirty {
		mark = ", changed"
	}
	return b.Version + " (commit " + b.Commit[:min(len(b.Commit), 11)] + mark + ")"
}

// Package release reports what a program was built from: its version, the commit and its modules. All but the version is
// what Go itself writes into a binary, so it is true of any binary, however it was built.
//
// # Releases
//
// .ci/dist makes a release (make dist). .ci/disttest makes it twice, compares the two, runs lintian on the packages where it
// is installed, and installs them in a copy of the machine's files (make disttest). Neither is part of make check, because
// building ten programs takes minutes; that everything compiles for Windows and macOS is.
//
//   - Each program has its own Dockerfile beside its main package, and what its Debian package is made of beside that.
//     Tests of this package hold the Dockerfiles to one way of building, and the settings of packages to those that exist.
//   - .ci/sbom makes a bill of materials from the binary, not from go.mod: it lists what is linked, also for another system.
//     The form is a struct of thirty lines and needs no library.
//   - nfpm makes the Debian packages. It is pinned in .ci/dist and is not a tool of go.mod, which would get its fifty modules.
package release

import (
	"runtime/debug"
	"strings"
)

// Unknown is the version of what is built without one: neither linked in, as a release has it, nor installed as a module.
const Unknown = "dev"

// Build is what a program was built from. The commit is empty where it was not built in a checkout.
type Build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	CommitDate string `json:"commit_date,omitempty"`
	Dirty      bool   `json:"dirty"` // the checkout had changes that are in no commit
	Go         string `json:"go"`
	Platform   string `json:"platform"`
}

// This is the build of the running program, of the version that was linked into it.
func This(linked string) Build {
	info, ok := debug.ReadBuildInfo()
	if !ok { // not built with modules, which ours cannot be
		info = &debug.BuildInfo{}
	}
	return Of(info, linked)
}

// Of reads what Go wrote into a binary. A version that was linked into it counts; else that of a module which was installed
// as such. What Go makes up for a checkout is no release's, and does not count: the commit says more.
func Of(info *debug.BuildInfo, linked string) Build {
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

// String is the version, with the commit in short where there is one.
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

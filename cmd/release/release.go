// Package release tells what a program was built from: its version, the commit, the modules that are in it. All but the
// version is what Go itself writes into a binary, so it is true of any, however it was built.
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

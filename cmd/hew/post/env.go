// Package post writes beside an answer what others are told of a run: the note of a merge request, the issue and the
// alert of drift. Its clients can write nothing else.
package post

import (
	"log/slog"
	"time"

	"hew/cmd/hew/view"
)

// Env is what a run tells of itself to what is written beside its answer.
type Env struct {
	Vars    map[string]string // the environment
	Dir     string            // where the configuration is
	Files   []string          // the -var-file flags
	Budget  int               // bytes of Markdown, 0 for the usual
	Compact bool              // one line an object
	Version string            // of hew
	Source  view.Source       // of what is written
	Now     func() time.Time
	Console view.Console // for people
	Log     *slog.Logger
}

// lookup is os.LookupEnv for the environment of the run.
func (e Env) lookup(name string) (string, bool) {
	v, ok := e.Vars[name]
	return v, ok
}

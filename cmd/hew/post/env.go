// Package post reports a run to others: by a note on a merge request, or by an issue or alert about
// drift. Its clients can write nothing else.
package post

import (
	"log/slog"
	"time"

	"hew/cmd/hew/view"
)

// Env is what package post needs to know about a run.
type Env struct {
	Vars    map[string]string // the environment variables
	Dir     string            // the directory of the configuration
	Files   []string          // the -var-file flags
	Budget  int               // bytes of Markdown; 0 is the default
	Compact bool              // one line for each object
	Version string            // of hew
	Source  view.Source       // of what is written
	Now     func() time.Time
	Console view.Console // standard error
	Log     *slog.Logger
}

// lookup is os.LookupEnv for the environment of the run.
func (e Env) lookup(name string) (string, bool) {
	v, ok := e.Vars[name]
	return v, ok
}

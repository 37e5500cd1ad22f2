package cli

import "hew/cmd/hew/view"

// source returns the job, commit, directory and time that a report comes from. A saved report does
// not say when it was made.
func (a *app) source(f rendering) view.Source {
	s := view.CISource(a.Environ)
	s.Directory = a.Dir.InRepository(a.Environ["CI_PROJECT_DIR"])
	if !f.saved {
		s.Time = a.now().UTC().Format("2006-01-02 15:04 UTC")
	}
	return s
}

package cli

import "hew/cmd/hew/view"

// source returns the job, commit, directory and time that a report comes from. A saved report has
// its own directory, and does not say when it was made.
func (a *app) source(f rendering) view.Source {
	s := view.CISource(a.Environ)
	if !f.saved {
		s.Directory = a.directory()
		s.Time = a.now().UTC().Format("2006-01-02 15:04 UTC")
	}
	return s
}

// directory returns the path of the working directory in its repository, "." at the top, and "" if
// it is unknown.
func (a *app) directory() string {
	return a.Dir.InRepository(a.Environ["CI_PROJECT_DIR"], a.Environ["GITHUB_WORKSPACE"])
}

package testacc

import (
	"testing"

	"hew/testacc/notes"
)

// forge is the host of a repository, as far as hew asks it: notes on merge requests. It is another
// host than the one that hew manages, and takes another token.
type forge struct{ *notes.Host }

func newForge(t testing.TB) *forge { return &forge{notes.New(t, "glpat-of-the-forge-alone", "5")} }

// said are the notes of hew on a merge request.
func (f *forge) said(iid int64) (all []string) {
	for _, n := range f.On(iid, notes.Bot) {
		all = append(all, n.Body)
	}
	return all
}

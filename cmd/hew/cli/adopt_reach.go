package cli

import (
	"fmt"
	"path/filepath"

	"hew/reconcile/rewrite"
)

// withinReach leaves those files of a result as they are that are behind links
// which lead out of the directory, or to one another; the rest is written.
func (a *app) withinReach(all *rewrite.Result) *rewrite.Result {
	why, first := map[string]string{}, map[string]string{}
	for _, f := range all.Files {
		to, err := a.behind(f.Name)
		switch other, twice := first[to]; {
		case err != nil:
			why[f.Name] = err.Error()
		case twice:
			why[f.Name] = "the file is " + other + " as well, by a link"
			why[other] = "the file is " + f.Name + " as well, by a link"
		default:
			first[to] = f.Name
		}
	}
	r := &rewrite.Result{Left: all.Left}
	for _, f := range all.Files {
		if why[f.Name] == "" {
			r.Files = append(r.Files, f)
		}
	}
	for _, v := range all.Written {
		if v.Why = why[v.At.Filename]; v.Why != "" {
			r.Left = append(r.Left, v)
		} else {
			r.Written = append(r.Written, v)
		}
	}
	return r
}

// behind is the name in the directory that a file really has there, links being
// followed. The error has no subject: that is the file.
func (a *app) behind(name string) (string, error) {
	top, err := filepath.EvalSymlinks(a.path("."))
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	to, err := filepath.Rel(top, real)
	if err != nil || !filepath.IsLocal(to) {
		return "", fmt.Errorf("a link leads to it out of the directory that hew works in, to %s. Run hew where the file itself is", real)
	}
	return to, nil
}

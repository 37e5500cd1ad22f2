package workdir

import (
	"hew/reconcile/rewrite"
)

// Writable returns a result without the files that links lead to from outside of the directory or
// twice: their values go from Written to Left, with the reason.
func (d Dir) Writable(all *rewrite.Result) *rewrite.Result {
	why, first := map[string]string{}, map[string]string{}
	for _, f := range all.Files {
		target, err := resolveWithin(d.Path("."), f.Name)
		switch other, twice := first[target]; {
		case err != nil:
			why[f.Name] = err.Error()
		case twice:
			why[f.Name] = "it is the same file as " + other + ", by a link"
			why[other] = "it is the same file as " + f.Name + ", by a link"
		default:
			first[target] = f.Name
		}
	}
	r := &rewrite.Result{Manual: all.Manual}
	for _, f := range all.Files {
		if why[f.Name] == "" {
			r.Files = append(r.Files, f)
		}
	}
	for _, v := range all.Written {
		if v.Why = why[v.At.Filename]; v.Why != "" {
			r.Manual = append(r.Manual, v)
		} else {
			r.Written = append(r.Written, v)
		}
	}
	return r
}

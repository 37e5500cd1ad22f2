package cli

import (
	"hew/cmd/hew/post"
)

// posting is what others that are told beside the answer know of this run.
func (a *app) posting(f form, s settings) post.Env {
	e := post.Env{Vars: a.env, Dir: a.path("."), Budget: f.budget, Compact: f.compact, Version: a.version, Now: a.now, Console: a.console(a.err), Log: a.logger(), Source: a.source(f)}
	for _, v := range s.vars {
		if v.file {
			e.Files = append(e.Files, v.text)
		}
	}
	return e
}

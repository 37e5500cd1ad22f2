package cli

import (
	"hew/cmd/hew/post"
)

// postEnv returns what package post needs to know about this run.
func (a *app) postEnv(f rendering, s settings) post.Env {
	e := post.Env{Vars: a.Environ, Dir: a.Path("."), Budget: f.budget, Compact: f.compact, Version: a.Version,
		Now: a.now, Console: a.console(a.err), Log: a.logger(), Source: a.source(f)}
	for _, v := range s.Vars {
		if v.File {
			e.Files = append(e.Files, v.Text)
		}
	}
	return e
}

package post

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"slices"
	"strings"

	"hew/cmd/hew/view"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// key returns what identifies the note: a title for people, and a digest. Both are the same for
// every run of a job, wherever the repository is checked out.
func (c Comment) key(e Env, parts []report.Part) (title, digest string) {
	var names []string
	for _, p := range parts {
		names = append(names, cmp.Or(p.Subdirectory(), p.Name))
	}
	slices.Sort(names)
	title = c.Name
	if title == "" && len(names) == 1 {
		title = names[0]
	}
	if c.Name != "" {
		names = []string{"name", c.Name}
	} else {
		for _, file := range e.Files {
			names = append(names, "-var-file="+file)
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return title, hex.EncodeToString(sum[:16])
}

// noteText returns the plan and its origin in Markdown, within the budget of a note.
func (e Env) noteText(title string, by signature, parts []report.Part) string {
	tail := "\n" + e.origin() + by.String() + "\n"
	m := &view.Markdown{Err: view.Console{Writer: io.Discard}, Command: parts[0].Command, Digests: true,
		Compact: e.Compact, Source: e.Source,
		Budget: min(cmp.Or(e.Budget, view.DefaultBudget), view.DefaultBudget) - len(tail)}
	if title != "" {
		m.Title = ": " + view.InHeading(title)
	}
	for _, p := range parts {
		view.ShowPart(m, p)
	}
	return m.Document() + tail
}

// origin returns a paragraph about the commit, pipeline and job of the run, or "" outside of a CI
// job.
func (e Env) origin() string {
	var parts []string
	if commit := e.Vars["CI_COMMIT_SHA"]; commit != "" {
		parts = append(parts, "of commit "+view.Verbatim(prose.Clean(commit)))
	}
	if id := e.Vars["CI_PIPELINE_ID"]; id != "" {
		parts = append(parts, "in "+linked("pipeline "+id, e.Vars["CI_PIPELINE_URL"]))
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, " ") + "."
	if job := e.Vars["CI_JOB_URL"]; job != "" {
		text += " Details: " + linked("job", job) + "."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "\n\n"
}

// linked returns a text with a link, or without it if the address could break out of the Markdown.
func linked(text, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" ||
		strings.ContainsAny(address, " ()<>\\`\"'\n") {
		return view.Verbatim(prose.Clean(text))
	}
	return "[" + view.Plainly(text, view.Verbatim) + "](" + address + ")"
}

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

// key is what tells the note from others: for people, and by a digest. It is the
// same for every run of a job, wherever the repository is checked out.
func (c Comment) key(e Env, parts []report.Part) (title, digest string) {
	var names []string
	for _, p := range parts {
		names = append(names, cmp.Or(p.Directory, p.Name))
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

// noteText is the plan in Markdown, with what it is of, within the budget of a
// note.
func (e Env) noteText(title string, by signature, parts []report.Part) string {
	tail := "\n" + e.origin() + by.String() + "\n"
	m := &view.Markdown{Err: view.Console{Writer: io.Discard}, Command: parts[0].Command, Digests: true, Compact: e.Compact, Source: e.Source,
		Budget: min(cmp.Or(e.Budget, view.DefaultBudget), view.DefaultBudget) - len(tail)}
	if title != "" {
		m.Title = ": " + view.InHeading(title)
	}
	for _, p := range parts {
		view.ShowPart(m, p)
	}
	return m.Document() + tail
}

// origin says which run the note is of, as far as the CI job knows.
func (e Env) origin() string {
	var said []string
	if commit := e.Vars["CI_COMMIT_SHA"]; commit != "" {
		said = append(said, "of commit "+view.Verbatim(prose.Clean(commit)))
	}
	if id := e.Vars["CI_PIPELINE_ID"]; id != "" {
		said = append(said, "in "+linked("pipeline "+id, e.Vars["CI_PIPELINE_URL"]))
	}
	if len(said) == 0 {
		return ""
	}
	text := strings.Join(said, " ") + "."
	if job := e.Vars["CI_JOB_URL"]; job != "" {
		text += " What it keeps of it: " + linked("job", job) + "."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "\n\n"
}

// linked is a word with a link, where the address is one that ends where it
// should.
func linked(text, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.ContainsAny(address, " ()<>\\`\"'\n") {
		return view.Verbatim(prose.Clean(text))
	}
	return "[" + view.Plainly(text, view.Verbatim) + "](" + address + ")"
}

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"slices"
	"strings"
)

// key is what tells the note from others: for people, and by a digest. It is the
// same for every run of a job, wherever the repository is checked out.
func (c comment) key(a *app, s settings, parts []part) (title, digest string) {
	var names []string
	for _, p := range parts {
		names = append(names, cmp.Or(p.Directory, p.name))
	}
	slices.Sort(names)
	title = c.name
	if title == "" && len(names) == 1 {
		title = names[0]
	}
	if c.name != "" {
		names = []string{"name", c.name}
	} else {
		for _, v := range s.vars {
			if v.file {
				names = append(names, "-var-file="+v.text)
			}
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return title, hex.EncodeToString(sum[:16])
}

// noteText is the plan in Markdown, with what it is of, within the budget of a
// note.
func (a *app) noteText(title string, by signature, f form, parts []part) (string, error) {
	tail := "\n" + a.origin() + by.String() + "\n"
	m := &markdown{err: console{Writer: io.Discard}, command: parts[0].Command, digests: true, compact: f.compact,
		budget: min(cmp.Or(f.budget, defaultBudget), defaultBudget) - len(tail)}
	if title != "" {
		m.title = ": " + inHeading(title)
	}
	for _, p := range parts {
		p, err := p.written()
		if err != nil {
			return "", err
		}
		if err := p.show(m, "the plan"); err != nil && p.Planned {
			return "", err
		}
	}
	return m.document() + tail, nil
}

// origin says which run the note is of, as far as the CI job knows.
func (a *app) origin() string {
	var said []string
	if commit := a.env["CI_COMMIT_SHA"]; commit != "" {
		said = append(said, "of commit "+verbatim(clean(commit)))
	}
	if id := a.env["CI_PIPELINE_ID"]; id != "" {
		said = append(said, "in "+linked("pipeline "+id, a.env["CI_PIPELINE_URL"]))
	}
	if len(said) == 0 {
		return ""
	}
	text := strings.Join(said, " ") + "."
	if job := a.env["CI_JOB_URL"]; job != "" {
		text += " What it keeps of it: " + linked("job", job) + "."
	}
	return strings.ToUpper(text[:1]) + text[1:] + "\n\n"
}

// linked is a word with a link, where the address is one that ends where it
// should.
func linked(text, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.ContainsAny(address, " ()<>\\`\"'\n") {
		return verbatim(clean(text))
	}
	return "[" + plainly(text, verbatim) + "](" + address + ")"
}

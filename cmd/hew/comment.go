package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hew/provider/client"
)

// comment is the note that tells a merge request of a plan.
type comment struct {
	on   string // PROJECT!IID, or ofPipeline
	name string // that tells the note from those of other configurations
}

// ofPipeline stands for the merge request that a CI job is about.
const ofPipeline = "the pipeline's"

// commentToken is the token that notes are written with. The host that hew manages
// and the one that the merge request is on may be two; that of HEW_TOKEN serves
// where they are one.
const commentToken = "HEW_COMMENT_TOKEN"

func (c *comment) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.on, "comment", "", "keep one note that tells of the plan on the merge request of the pipeline, or on `PROJECT!IID`")
	f.Lookup("comment").NoOptDefVal = ofPipeline
	f.StringVar(&c.name, "comment-key", "", "call the note `NAME`, which tells it from others on the merge request; its directories and -var-file flags do otherwise")
}

func (c comment) asked() bool { return c.on != "" }

// target is the merge request and the API that it is on, "" where only the plan
// tells. It fails where there is none, before anything is planned.
func (c comment) target(a *app) (host string, t thread, err error) {
	switch {
	case !c.asked() && c.name != "":
		return "", t, errors.New("-comment-key names the note of -comment, and none is asked for. Add -comment, or leave it out")
	case !c.asked():
		return "", t, nil
	}
	host = a.env["CI_API_V4_URL"]
	on, from := c.on, "-comment="+c.on
	if c.on == ofPipeline {
		if on, err = a.mergeRequest(); err != nil {
			return "", t, err
		}
		from = on
		if host == "" {
			return "", t, errors.New("-comment: CI_API_V4_URL is not set, which says where the merge request is. CI jobs have it; elsewhere name the merge request: -comment=acme/infra!12")
		}
	}
	at := strings.LastIndex(on, "!")
	if at > 0 {
		t.project = on[:at]
		t.request, err = strconv.ParseInt(on[at+1:], 10, 64)
	}
	if at < 1 || err != nil || t.request < 1 {
		return "", t, fmt.Errorf("%s does not name a merge request. It takes its project and its number, such as -comment=acme/infra!12", from)
	}
	return host, t, nil
}

// mergeRequest is the one that the CI job is about: that of its pipeline, or the
// only open one of its branch.
func (a *app) mergeRequest() (string, error) {
	if iid := a.env["CI_MERGE_REQUEST_IID"]; iid != "" {
		project := cmp.Or(a.env["CI_MERGE_REQUEST_PROJECT_ID"], a.env["CI_PROJECT_ID"])
		if project == "" {
			return "", errors.New("-comment: CI_MERGE_REQUEST_IID is set, and neither CI_MERGE_REQUEST_PROJECT_ID nor CI_PROJECT_ID, which say of which project")
		}
		return project + "!" + iid, nil
	}
	open := strings.FieldsFunc(a.env["CI_OPEN_MERGE_REQUESTS"], func(r rune) bool { return r == ',' || r == ' ' })
	switch {
	case len(open) == 1:
		return open[0], nil
	case len(open) > 1:
		return "", fmt.Errorf("-comment: the branch has several open merge requests (%s). Say which is meant, such as -comment=%s", strings.Join(open, ", "), open[0])
	}
	why := ""
	if source := a.env["CI_PIPELINE_SOURCE"]; source != "" {
		why = fmt.Sprintf(" and CI_PIPELINE_SOURCE is %s", source)
	}
	return "", fmt.Errorf("-comment: this is no pipeline of a merge request: CI_MERGE_REQUEST_IID is not set%s, and CI_OPEN_MERGE_REQUESTS names none. "+
		`Run the job by a rule such as if: $CI_PIPELINE_SOURCE == "merge_request_event", or name the merge request: -comment=acme/infra!12`, why)
}

// keepNote has the merge request say what a run has come to, which ended with err.
// Where it cannot, the run is no success.
func (a *app) keepNote(ctx context.Context, c comment, s settings, f form, parts []part, err error) error {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return !p.Planned && len(p.Diagnostics) == 0 })
	if !c.asked() || len(parts) == 0 || ctx.Err() != nil {
		return err
	}
	if wrong := a.writeNote(ctx, c, s, f, parts); wrong != nil {
		a.console(a.err).paragraph(0, "Error: the note could not be written: "+wrong.Error())
		if err == nil || errors.Is(err, differs) {
			return failed
		}
	}
	return err
}

func (a *app) writeNote(ctx context.Context, c comment, s settings, f form, parts []part) error {
	host, t, err := c.target(a)
	if err != nil {
		return err
	}
	managed := managedHost(parts)
	host = cmp.Or(host, managed, client.FromEnv(a.lookup).BaseURL)
	reader, err := client.New(client.Config{BaseURL: host})
	if err != nil {
		return err
	}
	if t.client, err = a.scribe(host, commentToken, reader.URL() == managed, noteWrites...); err != nil {
		return err
	}
	title, key := c.key(a, s, parts)
	m := hiddenMark(parts[0].Command, key)
	text, err := a.noteText(title, m, f, parts)
	if err != nil {
		return err
	}
	return t.keep(ctx, m, text)
}

// managedHost is the host that all plans are for, "" where that is not known.
func managedHost(parts []part) string {
	host := parts[0].Host
	for _, p := range parts {
		if p.Host != host {
			return ""
		}
	}
	return host
}

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
func (a *app) noteText(title, mark string, f form, parts []part) (string, error) {
	tail := "\n" + a.origin() + mark + "\n"
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

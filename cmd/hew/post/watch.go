package post

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"hew/cmd/hew/view"
	"hew/reconcile/report"
)

// Watch is who else is told of drift, where nobody looks at a terminal.
type Watch struct{ Alert, Issue string }

// Asked reports whether anybody else is to be told.
func (w *Watch) Asked() bool { return w.Alert != "" || w.Issue != "" }

// Check refuses an address that alerts cannot be sent to.
func (w *Watch) Check() error {
	if w.Alert == "" {
		return nil
	}
	_, err := alertURL(w.Alert)
	return err
}

// news is what the others are told of a run.
type news struct {
	subject     string // the configuration, for people
	fingerprint string // the same for every run of it
	host        string
	drift       bool // else there is none, and everything was looked at
	lost        bool // a guard says that what was managed cannot be seen any more
	sum         string
	names       []string // what drifted, the most dangerous first
	document    string   // all of it, in Markdown
}

// Announce tells the others of drift, in a configuration whose ledger has a lineage. A run that found nothing and could not look at
// everything leaves them as they are: it knows neither.
func (w *Watch) Announce(ctx context.Context, e Env, d *report.Document, lineage string) error {
	if !w.Asked() {
		return nil
	}
	drift := !d.Empty() || len(d.Strays) > 0 || len(d.Guards) > 0
	if !drift && len(d.Blocked) > 0 {
		e.Console.Paragraph(0, "Nobody is told that there is no drift, because not everything could be looked at.")
		return nil
	}
	n := e.newsOf(d, lineage)
	n.drift, n.lost = drift, len(d.Guards) > 0
	var errs []error
	if w.Alert != "" {
		if err := e.sendAlert(ctx, w.Alert, n); err != nil {
			errs = append(errs, fmt.Errorf("the alert could not be sent: %w", err))
		}
	}
	if w.Issue != "" {
		if err := e.keepIssue(ctx, w.Issue, n); err != nil {
			errs = append(errs, fmt.Errorf("the issue could not be kept up to date: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (e Env) newsOf(d *report.Document, lineage string) news {
	m := &view.Markdown{Err: view.Console{Writer: io.Discard}, Command: "drift", Budget: cmp.Or(e.Budget, view.DefaultBudget) - markBytes, Source: e.Source}
	m.Plan(d)
	subject, place := e.subject()
	n := news{subject: subject, host: d.Host, sum: d.Total(), document: m.Document()}
	sum := sha256.Sum256([]byte("hew drift\n" + d.Host + "\n" + cmp.Or(lineage, place)))
	n.fingerprint = hex.EncodeToString(sum[:16])
	for _, it := range report.ByDanger(d) {
		n.names = append(n.names, it.Name)
	}
	for _, s := range report.StrayRows(d.Strays) {
		n.names = append(n.names, strings.TrimSuffix(s.Name+" "+s.Of, " "))
	}
	return n
}

// subject names the configuration: for people, and so that no other has its name.
// In a CI job the directory is one of a project, wherever that is checked out.
func (e Env) subject() (name, place string) {
	dir, err := filepath.Abs(e.Dir)
	if err != nil {
		dir = e.Dir
	}
	project, root := e.Vars["CI_PROJECT_PATH"], e.Vars["CI_PROJECT_DIR"]
	if rel, err := filepath.Rel(root, dir); project != "" && root != "" && err == nil && !strings.HasPrefix(rel, "..") {
		name = strings.TrimSuffix(project+"/"+filepath.ToSlash(rel), "/.")
		return name, e.Vars["CI_SERVER_URL"] + " " + name
	}
	return filepath.Base(dir), dir
}

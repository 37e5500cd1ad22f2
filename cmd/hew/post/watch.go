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
	"hew/reconcile/report/prose"
)

// Watch says where drift is reported: an alert endpoint, the issues of a project.
type Watch struct{ Alert, Issue string }

// Asked reports whether drift is reported anywhere.
func (w *Watch) Asked() bool { return w.Alert != "" || w.Issue != "" }

// Check returns an error for an invalid alert endpoint.
func (w *Watch) Check() error {
	if w.Alert == "" {
		return nil
	}
	_, err := alertURL(w.Alert)
	return err
}

// news is what is reported about a run.
type news struct {
	subject     string // the configuration, for people
	fingerprint string // the same for every run of it
	host        string
	drift       bool // if false, everything was read and there is no drift
	lost        bool // a guard tripped: managed objects cannot be seen any more
	sum         string
	names       []string // the objects with drift and what happened to them, the most dangerous first
	document    string   // the report in Markdown
}

// Announce reports drift, or its end, for a configuration whose ledger has this lineage. It reports
// nothing if there is no drift but something could not be read.
func (w *Watch) Announce(ctx context.Context, e Env, d *report.Document, lineage string) error {
	if !w.Asked() {
		return nil
	}
	drift := !d.Empty() || len(d.Undeclared) > 0 || len(d.Guards) > 0
	if !drift && len(d.Blocked) > 0 {
		e.Console.Paragraph(0, "Alerts and issues were left open, because something could not be read.")
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
		if err := e.updateIssue(ctx, w.Issue, n); err != nil {
			errs = append(errs, fmt.Errorf("the issue could not be updated: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (e Env) newsOf(d *report.Document, lineage string) news {
	m := &view.Markdown{Err: view.Console{Writer: io.Discard}, Command: "drift", Source: e.Source,
		Budget: cmp.Or(e.Budget, view.DefaultBudget) - markBytes}
	m.Plan(d)
	subject, place := e.subject()
	n := news{subject: subject, host: d.Host, sum: d.Total(), document: m.Document()}
	sum := sha256.Sum256([]byte("hew drift\n" + d.Host + "\n" + cmp.Or(lineage, place)))
	n.fingerprint = hex.EncodeToString(sum[:16])
	for _, it := range report.ByDanger(d.Shown()) {
		for i := range it.Changes {
			c := &it.Changes[i]
			n.names = append(n.names, prose.Clean(c.Address)+": "+c.DriftLine())
		}
	}
	for _, s := range report.UndeclaredRows(d.Undeclared) {
		text := strings.Join(append(prose.NonEmpty(s.Of), prose.NonEmpty(s.Origin)...), ", ")
		n.names = append(n.names, strings.TrimSuffix(s.Name+" "+text, " "))
	}
	return n
}

// subject returns the name of the configuration for people, and a unique one. In a CI job both are
// the directory in the project, wherever it is checked out.
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

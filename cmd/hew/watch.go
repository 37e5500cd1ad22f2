package main

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

	"github.com/spf13/cobra"

	"hew/reconcile/plan"
)

// watch is who else is told of drift, where nobody looks at a terminal.
type watch struct{ alert, issue string }

func (w *watch) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.alert, "alert", "", "keep one alert open at `URL`, an alert endpoint, while there is drift; its key is in HEW_ALERT_TOKEN")
	cmd.Flags().StringVar(&w.issue, "issue", "", "keep one issue of `PROJECT` open while there is drift")
}

func (w *watch) asked() bool { return w.alert != "" || w.issue != "" }

func (w *watch) check() error {
	if w.alert == "" {
		return nil
	}
	_, err := alertURL(w.alert)
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

// announce tells the others. A run that found nothing and could not look at
// everything leaves them as they are: it knows neither.
func (a *app) announce(ctx context.Context, w watch, f form, p *plan.Plan) error {
	if !w.asked() {
		return nil
	}
	drift := drifted(p) || len(p.Guards) > 0
	if !drift && len(p.Blocked) > 0 {
		a.console(a.err).paragraph(0, "Nobody is told that there is no drift, because not everything could be looked at.")
		return nil
	}
	n := a.newsOf(p, f.budget)
	n.drift, n.lost = drift, len(p.Guards) > 0
	var errs []error
	if w.alert != "" {
		if err := a.sendAlert(ctx, w.alert, n); err != nil {
			errs = append(errs, fmt.Errorf("the alert could not be sent: %w", err))
		}
	}
	if w.issue != "" {
		if err := a.keepIssue(ctx, w.issue, n); err != nil {
			errs = append(errs, fmt.Errorf("the issue could not be kept up to date: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (a *app) newsOf(p *plan.Plan, budget int) news {
	m := &markdown{err: console{Writer: io.Discard}, command: "drift", budget: cmp.Or(budget, defaultBudget) - markBytes}
	m.Plan(p)
	subject, place := a.subject()
	n := news{subject: subject, host: p.Host, sum: total(p, true), document: m.document()}
	sum := sha256.Sum256([]byte("hew drift\n" + p.Host + "\n" + cmp.Or(p.Lineage, place)))
	n.fingerprint = hex.EncodeToString(sum[:16])
	for _, it := range byDanger(p, foldAt) {
		n.names = append(n.names, it.name)
	}
	for _, s := range strayRows(p.Strays) {
		n.names = append(n.names, strings.TrimSuffix(s.name+" "+s.of, " "))
	}
	return n
}

// subject names the configuration: for people, and so that no other has its name.
// In a CI job the directory is one of a project, wherever that is checked out.
func (a *app) subject() (name, place string) {
	dir, err := filepath.Abs(a.path("."))
	if err != nil {
		dir = a.path(".")
	}
	project, root := a.env["CI_PROJECT_PATH"], a.env["CI_PROJECT_DIR"]
	if rel, err := filepath.Rel(root, dir); project != "" && root != "" && err == nil && !strings.HasPrefix(rel, "..") {
		name = strings.TrimSuffix(project+"/"+filepath.ToSlash(rel), "/.")
		return name, a.env["CI_SERVER_URL"] + " " + name
	}
	return filepath.Base(dir), dir
}

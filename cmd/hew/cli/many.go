package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// planner does what a command does in one directory, and tells of the plan.
type planner func(one *app, f form, planned func(*plan.Plan)) error

// directory is one of several that a command works on, and what it answers: in
// text, and as a document.
type directory struct {
	name     string
	out, err heldBack
	plan     *plan.Plan
	document *report.Document
	code     exit
}

// heldBack holds back what goes to a stream until it is its turn. It is coloured
// and wrapped as the stream itself.
type heldBack struct {
	bytes.Buffer
	of io.Writer
}

// Unwrap returns the stream that it is for.
func (h *heldBack) Unwrap() io.Writer { return h.of }

// everywhere does something in the directories that are named, or in the one of
// this run where none is. It returns what was told of each, if that is kept.
func (a *app) everywhere(cmd *cobra.Command, dirs []string, f form, do planner) ([]report.Part, error) {
	if len(dirs) == 0 {
		if !f.keeps {
			return nil, do(a, f, func(*plan.Plan) {})
		}
		f.kept = report.NewDocument(cmd.Name(), a.version)
		err := do(a, f, func(*plan.Plan) {})
		return []report.Part{{Document: f.kept}}, err
	}
	return a.many(cmd, dirs, f, do)
}

// many does the same in several directories side by side. Each answers on its
// own, in the order given, and a line sums up.
func (a *app) many(cmd *cobra.Command, names []string, f form, do planner) (parts []report.Part, err error) {
	if err := eachOnce(names); err != nil {
		return nil, err
	}
	v, err := a.manyView(cmd.Name(), f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.done()) }()
	all := make([]*directory, len(names))
	e := newDirectories(len(names))
	began := a.now()
	progress, stop := a.progress()
	var wait sync.WaitGroup
	for i, name := range names {
		d := &directory{name: filepath.ToSlash(filepath.Clean(name)), out: heldBack{of: v.out}, err: heldBack{of: a.err}, document: report.NewDocument(cmd.Name(), a.version)}
		all[i] = d
		wait.Go(func() {
			d.work(a, e, f, do)
			progress.directory(len(names))
		})
	}
	wait.Wait()
	stop()
	for _, d := range all {
		parts = append(parts, report.Part{Name: d.name, Code: int(d.code), Document: d.document})
	}
	if err := v.show(a, all, parts); err != nil {
		return parts, err
	}
	for _, clash := range clashes(all) {
		a.console(a.err).Paragraph(0, "Warning: "+clash)
	}
	if len(all) > 1 && (f.file != "" || f.answer() == "text") {
		a.console(a.err).Paragraph(0, sumOf(all, found[cmd.Name()], e.requests(), a.now().Sub(began).Seconds()))
	}
	return parts, worst(all)
}

// eachOnce refuses a directory that is named twice.
func eachOnce(names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		if name = filepath.Clean(name); seen[name] {
			return fmt.Errorf("the directory %s is named twice. Leave one of them out", name)
		}
		seen[name] = true
	}
	return nil
}

// clashes tells of objects that several directories declare: each would set them
// as it likes, and the one that gives them up would delete them. What is there
// once, as the settings of an instance are, may be shared out.
func clashes(all []*directory) (said []string) {
	type object struct{ host, kind, owner, title string }
	first := map[object]*directory{}
	for _, d := range all {
		if d.plan == nil {
			continue
		}
		for i := range d.plan.Changes {
			c := &d.plan.Changes[i]
			if c.Desired() == nil || c.Kind.Holds != schema.Many {
				continue
			}
			o := object{d.plan.Host, c.Kind.Name, c.Owner, c.Title}
			if other := first[o]; other == nil {
				first[o] = d
			} else if other != d {
				said = append(said, fmt.Sprintf("%s is declared in %s as well as in %s, as %s.", report.Subject(c), other.name, d.name, prose.Clean(c.Addr.String())))
			}
		}
	}
	return said
}

// work runs the command in the directory.
func (d *directory) work(a *app, e *directories, f form, do planner) {
	one := *a
	one.dir, one.in, one.out, one.err, one.lines, one.together = a.path(d.name), strings.NewReader(""), &d.out, &d.err, nil, e
	loaded := sync.OnceFunc(e.loaded)
	defer loaded() // also where it fails before it is opened
	one.open = func(ctx context.Context, one *app, s settings) (session, report.Diagnostics) {
		ses, found := a.open(ctx, one, s)
		e.keep(d.name, ses)
		loaded()
		if said := e.shares(d.name); said != nil {
			found.Diagnostics = append(found.Diagnostics, said)
			return nil, found
		}
		return ses, found
	}
	f.file, f.kept = "", d.document
	if f.answer() != "text" { // what is told of all is told at the end
		f.json, f.format, f.budget, one.out = false, "text", 0, io.Discard
	}
	err := do(&one, f, func(p *plan.Plan) { d.plan = p })
	if err != nil && !errors.As(err, &d.code) {
		d.code = failed
		d.document.Diagnostics = append(d.document.Diagnostics, report.DiagnosticsOf(report.Diagnostics{Diagnostics: hcl.Diagnostics{problem("Directory failed", "%s", err)}})...)
		one.console(&d.err).Paragraph(0, "Error: "+err.Error())
	}
}

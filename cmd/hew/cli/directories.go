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

	"hew/cmd/hew/session"
	"hew/cmd/hew/view"
	"hew/cmd/hew/workdir"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// directoryTask runs a command in one directory and passes its plan to planned.
type directoryTask func(one *app, f rendering, planned func(*plan.Plan)) error

// directory is one of several that a command works on, with its output as text and as a document.
type directory struct {
	name     string
	out, err heldStream
	plan     *plan.Plan
	document *report.Document
	code     exit
}

// heldStream buffers what is written to a stream until the output of the directories before is
// complete. It is colored and wrapped like the stream itself.
type heldStream struct {
	bytes.Buffer
	stream io.Writer
}

// Unwrap returns the stream that the output goes to in the end.
func (h *heldStream) Unwrap() io.Writer { return h.stream }

// inDirectories runs a task in the named directories, or in the directory of this run if none is
// named. It returns a document for each directory, if f keeps them.
func (a *app) inDirectories(cmd *cobra.Command, dirs []string, f rendering, task directoryTask) ([]report.Part, error) {
	if len(dirs) == 0 {
		if !f.keeps {
			return nil, task(a, f, func(*plan.Plan) {})
		}
		f.document = report.NewDocument(cmd.Name(), a.Version)
		err := task(a, f, func(*plan.Plan) {})
		return []report.Part{{Document: f.document}}, err
	}
	return a.inEach(cmd, dirs, f, task)
}

// inEach runs a task in several directories concurrently. The output of each is printed in the
// order given, with a summary at the end.
func (a *app) inEach(
	cmd *cobra.Command, names []string, f rendering, task directoryTask,
) (parts []report.Part, err error) {
	if err := checkDistinct(names); err != nil {
		return nil, err
	}
	v, err := a.newCombinedView(cmd.Name(), f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.done()) }()
	all := make([]*directory, len(names))
	shared := session.NewShared(len(names))
	began := a.now()
	progress, stop := a.startProgress()
	var wait sync.WaitGroup
	for i, name := range names {
		d := &directory{name: filepath.ToSlash(filepath.Clean(name)), out: heldStream{stream: v.out},
			err:      heldStream{stream: a.err},
			document: report.NewDocument(cmd.Name(), a.Version)}
		all[i] = d
		wait.Go(func() {
			d.run(a, shared, f, task)
			progress.CountDirectory(len(names))
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
	for _, duplicate := range duplicates(all) {
		a.console(a.err).Paragraph(0, "Warning: "+duplicate)
	}
	if len(all) > 1 && (f.file != "" || f.name() == "text") {
		a.console(a.err).Paragraph(0, summarize(all, soughtBy[cmd.Name()], shared.Requests(),
			a.now().Sub(began).Seconds()))
	}
	return parts, worstExit(all)
}

// checkDistinct refuses a directory that is named twice.
func checkDistinct(names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		if name = filepath.Clean(name); seen[name] {
			return fmt.Errorf("the directory %s is named twice. Remove one of the two", name)
		}
		seen[name] = true
	}
	return nil
}

// duplicates returns a sentence for each object that several directories declare: each run would
// undo the other's changes. Objects that exist once, such as the settings of an instance, may be
// declared in parts.
func duplicates(all []*directory) (sentences []string) {
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
				sentences = append(sentences, fmt.Sprintf("both %s and %s declare %s, the latter as %s. Remove "+
					"one of the two blocks.",
					other.name, d.name, report.Subject(c), prose.Clean(c.Addr.String())))
			}
		}
	}
	return sentences
}

// run runs the task in the directory.
func (d *directory) run(a *app, shared *session.Shared, f rendering, task directoryTask) {
	one := *a
	one.Dir, one.in, one.out, one.err, one.lines, one.Shared = workdir.Dir(a.Path(d.name)), strings.NewReader(""),
		&d.out, &d.err, nil, shared
	one.Log = one.logger()
	waitLoaded := sync.OnceFunc(shared.WaitLoaded)
	defer waitLoaded() // also if it fails before the session is open
	one.open = func(ctx context.Context, one *app, s settings) (engine, report.Diagnostics) {
		eng, found := a.open(ctx, one, s)
		if ses, ok := eng.(*session.Session); ok {
			shared.Register(d.name, ses)
		}
		waitLoaded()
		if problem := shared.CheckLedger(d.name); problem != nil {
			found.Diagnostics = append(found.Diagnostics, problem)
			return nil, found
		}
		return eng, found
	}
	f.file, f.document = "", d.document
	if f.name() != "text" { // the combined view shows the documents
		f.json, f.format, f.budget, one.out = false, "text", 0, io.Discard
	}
	err := task(&one, f, func(p *plan.Plan) { d.plan = p })
	if err != nil && !errors.As(err, &d.code) {
		d.code = failed
		problem := report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem("Directory failed", "%s", err)}}
		d.document.Diagnostics = append(d.document.Diagnostics, report.DiagnosticsOf(problem)...)
		view.WriteError(one.console(&d.err), err)
	}
}

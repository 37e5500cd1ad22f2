package cli

import (
	"fmt"
	"io"

	"hew/cmd/hew/view"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// combinedView shows several directories: as text, which each has written already, or by a view of
// their documents.
type combinedView struct {
	out  io.Writer // of text
	view view.View // nil for text
	file bool      // the output goes to a file, so errors are printed as well
	done func() error
}

func (a *app) newCombinedView(command string, f rendering) (v combinedView, err error) {
	if err := f.check(a); err != nil {
		return v, err
	}
	v.file = f.file != ""
	if f.name() == "text" {
		v.out, v.done, err = a.openOutput(f.file)
		return v, err
	}
	r, err := a.newReporter(command, f)
	if err == nil {
		v.view, v.done = r.view, r.Close
	}
	return v, err
}

func (v combinedView) show(a *app, all []*directory, parts []report.Part) error {
	if v.view != nil {
		for i, p := range parts {
			if v.file {
				all[i].printErrors(a)
			}
			view.ShowPart(v.view, p)
		}
		return nil
	}
	for i, d := range all {
		c := a.console(v.out)
		if i > 0 {
			c.Printf("\n")
		}
		c.Printf("%s\n", c.Paint.In(view.Bold, "── "+prose.Clean(d.name)+" ──"))
		if _, err := d.out.WriteTo(v.out); err != nil {
			return err
		}
		d.printErrors(a)
	}
	return nil
}

// printErrors prints what the directory wrote to standard error, under its name.
func (d *directory) printErrors(a *app) {
	if d.err.Len() > 0 {
		fmt.Fprintf(a.err, "%s:\n%s", prose.Clean(d.name), d.err.Bytes())
	}
}

// worstExit returns the exit code of the run: failed if any directory failed, else differs if any
// does.
func worstExit(all []*directory) error {
	var code exit
	for _, d := range all {
		if d.code == failed || code == 0 {
			code = d.code
		}
	}
	if code == 0 {
		return nil
	}
	return code
}

// soughtBy names what a command looks for in each directory.
var soughtBy = map[string]string{"plan": "changes", "drift": "drift"}

// summarize returns a line about all directories, with and without what was looked for.
func summarize(all []*directory, sought string, requests int, seconds float64) string {
	var plans []*report.Document
	var with, without, broken int
	for _, d := range all {
		switch {
		case d.plan == nil || d.code == failed:
			broken++
		case d.code == differs || !d.plan.Empty():
			with++
		default:
			without++
		}
		if d.plan != nil {
			plans = append(plans, d.document)
		}
	}
	failures := ""
	if broken > 0 {
		failures = fmt.Sprintf(", %d failed or incomplete", broken)
	}
	return fmt.Sprintf("%s: %d with %s, %d unchanged%s. Total: %s.  %s.",
		prose.Count(len(all), "directory",
			"directories"), with, sought, without, failures, report.Tally(plans...), prose.Cost(requests, seconds))
}

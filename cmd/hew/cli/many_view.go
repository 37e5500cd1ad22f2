package cli

import (
	"fmt"
	"io"

	"hew/cmd/hew/view"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// manyView shows several directories: in text, which each has written already,
// or in a view that is made of their documents.
type manyView struct {
	out  io.Writer // of text
	view view.View // nil for text
	file bool      // it is written to one, and people see the rest
	done func() error
}

func (a *app) manyView(command string, f form) (v manyView, err error) {
	if err := f.check(a); err != nil {
		return v, err
	}
	v.file = f.file != ""
	if f.answer() == "text" {
		v.out, v.done, err = a.answer(f.file)
		return v, err
	}
	r, err := a.view(command, f)
	if err == nil {
		v.view, v.done = r.view, r.Close
	}
	return v, err
}

func (v manyView) show(a *app, all []*directory, parts []report.Part) error {
	if v.view != nil {
		for i, p := range parts {
			if v.file {
				all[i].complain(a)
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
		d.complain(a)
	}
	return nil
}

// complain prints what is wrong in the directory.
func (d *directory) complain(a *app) {
	if d.err.Len() > 0 {
		fmt.Fprintf(a.err, "%s:\n%s", prose.Clean(d.name), d.err.Bytes())
	}
}

// worst is the gravest end of any directory.
func worst(all []*directory) error {
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

// found is what a command looks for in each directory.
var found = map[string]string{"plan": "changes", "drift": "drift"}

// sumOf sums up all directories, with and without what was looked for.
func sumOf(all []*directory, what string, requests int, seconds float64) string {
	var plans []*report.Document
	var changing, quiet, stuck int
	for _, d := range all {
		switch {
		case d.plan == nil || d.code == failed:
			stuck++
		case d.code == differs || !d.plan.Empty():
			changing++
		default:
			quiet++
		}
		if d.plan != nil {
			plans = append(plans, d.document)
		}
	}
	left := ""
	if stuck > 0 {
		left = fmt.Sprintf(", %d that failed in whole or in part", stuck)
	}
	return fmt.Sprintf("%s: %d with %s, %d without%s. Together %s.  %s.",
		prose.Count(len(all), "directory", "directories"), changing, what, quiet, left, report.Tally(plans...), prose.Cost(requests, seconds))
}

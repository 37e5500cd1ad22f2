package config_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// wanted finds the errors that a file announces of itself, each on the line
// where it is reported: # ERROR: summary, or # ERROR: summary -- part of the
// detail; several on one line are separated by a bar. The file errors of an
// archive announces those of files that have no comments, and those that stand
// nowhere: FILE:LINE: summary -- part, FILE:LINE being a dash.
var (
	wanted    = regexp.MustCompile(`(?:#|//) ERROR: (.*)$`)
	elsewhere = regexp.MustCompile(`^(\S+): (.*)$`)
)

// mistake is an announced error.
type mistake struct{ place, summary, part string }

// bad is a configuration with mistakes in it.
type bad struct {
	name string
	fsys fstest.MapFS
	vars config.Vars
	want []mistake
}

// badOnes reads testdata/bad: single files, and archives of several.
func badOnes(t testing.TB) (all []bad) {
	names, err := filepath.Glob("testdata/bad/*")
	require.NoError(t, err)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		b := bad{name: filepath.Base(name), fsys: fstest.MapFS{}}
		if filepath.Ext(name) != ".txtar" {
			b.add("main.hcl", src)
		} else {
			for _, f := range txtar.Parse(src).Files {
				switch f.Name {
				case "vars":
					b.vars = flags(t, f.Data)
				case "errors":
					for line := range strings.Lines(string(f.Data)) {
						m := elsewhere.FindStringSubmatch(strings.TrimSpace(line))
						require.NotNil(t, m, "%s: %s", name, line)
						b.announce(m[1], m[2])
					}
				default:
					b.add(f.Name, f.Data)
				}
			}
		}
		all = append(all, b)
	}
	return all
}

func (b *bad) add(name string, src []byte) {
	b.fsys[name] = &fstest.MapFile{Data: src}
	for i, line := range strings.Split(string(src), "\n") {
		if m := wanted.FindStringSubmatch(line); m != nil {
			b.announce(fmt.Sprintf("%s:%d", name, i+1), m[1])
		}
	}
}

func (b *bad) announce(place, text string) {
	for _, one := range strings.Split(text, " | ") {
		summary, part, _ := strings.Cut(one, " -- ")
		b.want = append(b.want, mistake{place, summary, part})
	}
}

// Every mistake is reported on its line, in words that help, all in one run and
// nothing besides.
func TestBad(t *testing.T) {
	t.Parallel()
	different := map[mistake]bool{}
	for _, b := range badOnes(t) {
		for _, w := range b.want {
			different[mistake{summary: w.summary, part: w.part}] = true
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, b.want, "announces nothing")
			cfg, diags := read(b.fsys, b.vars)
			for _, d := range diags {
				i := slices.IndexFunc(b.want, func(w mistake) bool {
					return w.place == lineOf(d) && w.summary == d.Summary && strings.Contains(d.Detail, w.part)
				})
				if i < 0 {
					t.Errorf("not announced: %s", said(d))
					continue
				}
				t.Log(said(d))
				b.want = slices.Delete(b.want, i, i+1)
			}
			require.Empty(t, b.want, "announced, and not reported")
			wellSaid(t, diags)
			for name, f := range cfg.Sources() {
				require.NotContains(t, string(f.Bytes), marker, name)
			}
		})
	}
	require.GreaterOrEqual(t, len(different), 250)
}

// marker is what stands for a secret: no message and no snippet shows it.
const marker = "glpat-marker"

// shortPlace is a place as HCL prints it, which no terminal and no editor knows.
var shortPlace = regexp.MustCompile(`:\d+,\d+-\d+`)

// wellSaid checks what must hold for the errors of every run.
func wellSaid(t *testing.T, diags hcl.Diagnostics) {
	once := map[string]bool{}
	for _, d := range diags {
		text := said(d)
		require.False(t, once[text], "twice: %s", text)
		once[text] = true
		require.NotRegexp(t, shortPlace, text)
		require.NotContains(t, text, marker)
		require.NotContains(t, text, "%!", "a verb without its argument")
		require.NotContains(t, d.Summary, ".", "a summary is no sentence")
		require.Regexp(t, `[.)?!}…]$`, d.Detail, "a detail is made of sentences")
	}
	require.True(t, slices.IsSortedFunc(diags, func(a, b *hcl.Diagnostic) int {
		if a.Subject == nil || b.Subject == nil {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Subject.Filename, b.Subject.Filename),
			cmp.Compare(a.Subject.Start.Line, b.Subject.Start.Line))
	}), "by file and line: %s", diags)
}

// lineOf is where a diagnostic is to be announced.
func lineOf(d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return "-"
	}
	return fmt.Sprintf("%s:%d", d.Subject.Filename, d.Subject.Start.Line)
}

// said returns the text of a diagnostic.
func said(d *hcl.Diagnostic) string {
	at := "-"
	if d.Subject != nil {
		at = fmt.Sprintf("%s:%d:%d", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column)
	}
	return fmt.Sprintf("%s: %s -- %s", at, d.Summary, d.Detail)
}

// check is what hew validate does.
func check(fsys fstest.MapFS, vars config.Vars) hcl.Diagnostics {
	_, diags := read(fsys, vars)
	return diags
}

func read(fsys fstest.MapFS, vars config.Vars) (*config.Config, hcl.Diagnostics) {
	cfg, diags := config.Load(context.Background(), fsys, ".", catalog(), vars)
	if diags.HasErrors() {
		return cfg, diags
	}
	_, more := cfg.NewEval().Run(context.Background(), nil)
	return cfg, append(diags, more...)
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/plan"
)

// colours are the escapes that paint writes.
var colours = regexp.MustCompile(`\x1b\[[0-9]+m`)

var update = flag.Bool("update", false, "rewrite golden files from what the code does now")

// golden compares sections with testdata/NAME.txtar.
func golden(t *testing.T, name string, files ...txtar.File) {
	t.Helper()
	file := filepath.Join("testdata", name+".txtar")
	got := txtar.Format(&txtar.Archive{Files: files})
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// TestPlanViews renders every plan for people, on a narrow terminal, in short,
// and for programs; the last must be as the schema says.
func TestPlanViews(t *testing.T) {
	t.Parallel()
	for name, p := range plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var wide, narrow, compact, program bytes.Buffer
			command := "plan"
			if p.Ledgerless {
				command = "drift"
			}
			(&text{console: console{Writer: &wide}, command: command}).Plan(p)
			(&text{console: console{Writer: &narrow, width: 72}, command: command}).Plan(p)
			(&text{console: console{Writer: &compact}, command: command, compact: true}).Plan(p)
			v := newPrograms(&program, "plan")
			v.Plan(p)
			require.NoError(t, v.Close())
			conforms(t, program.Bytes())
			for _, b := range []*bytes.Buffer{&wide, &narrow, &compact, &program} {
				require.NotContains(t, b.String(), leak)
				require.NotContains(t, b.String(), "\x1b", "control characters of the host reach the terminal")
			}
			golden(t, "plan-"+name, txtar.File{Name: "text", Data: wide.Bytes()}, txtar.File{Name: "text of 72 columns", Data: narrow.Bytes()},
				txtar.File{Name: "text -compact", Data: compact.Bytes()}, txtar.File{Name: "json", Data: program.Bytes()})
		})
	}
}

func TestOutcomeViews(t *testing.T) {
	t.Parallel()
	events := []reconcile.Event{
		{Phase: reconcile.PhaseApply, Addr: outcome.Done[0].Addr, Action: plan.Update, Ended: true},
		{Phase: reconcile.PhaseApply, Addr: outcome.Failed[0].Change.Addr, Action: plan.Create, Ended: true, Err: errors.New("no")},
	}
	var people, stopped, program bytes.Buffer
	v := &text{console: console{Writer: &people}, command: "apply", left: 2}
	j := newPrograms(&program, "apply")
	for _, e := range events {
		v.Changed(e)
		j.Changed(e)
	}
	v.Outcome(outcome)
	(&text{console: console{Writer: &stopped}, command: "destroy"}).Outcome(interrupted)
	j.Outcome(outcome)
	require.NoError(t, j.Close())
	conforms(t, program.Bytes())
	golden(t, "outcome", txtar.File{Name: "text", Data: people.Bytes()}, txtar.File{Name: "text, interrupted", Data: stopped.Bytes()},
		txtar.File{Name: "json", Data: program.Bytes()})
}

// TestColours: what is coloured differs from what is plain by colours alone.
func TestColours(t *testing.T) {
	t.Parallel()
	for name, p := range plans {
		var plain, painted bytes.Buffer
		(&text{console: console{Writer: &plain}}).Plan(p)
		(&text{console: console{Writer: &painted, paint: true}}).Plan(p)
		require.Contains(t, painted.String(), "\x1b[", name)
		require.Equal(t, plain.String(), colours.ReplaceAllString(painted.String(), ""), name)
	}
}

// conforms checks a document against the schema that hew publishes.
func conforms(t *testing.T, document []byte) {
	t.Helper()
	published, err := jsonschema.UnmarshalJSON(bytes.NewReader(documentSchema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("report.schema.json", published))
	s, err := c.Compile("report.schema.json")
	require.NoError(t, err)
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	require.NoError(t, err)
	require.NoError(t, s.Validate(instance))
}

// TestSchemaIsStrict: a field that the schema does not know is an error, so a
// new one cannot be forgotten there.
func TestSchemaIsStrict(t *testing.T) {
	t.Parallel()
	published := map[string]any{}
	require.NoError(t, json.Unmarshal(documentSchema, &published))
	require.Equal(t, false, published["additionalProperties"])
	for name, def := range published["$defs"].(map[string]any) {
		if d := def.(map[string]any); d["type"] == "object" {
			require.Equal(t, false, d["additionalProperties"], name)
		}
	}
}

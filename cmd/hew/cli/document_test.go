package cli

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/cmd/hew/docs"
	"hew/cmd/hew/session"
	"hew/provider"
	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// documents are the types of everything that hew prints as JSON, by their names
// in the schema.
var documents = map[string]any{
	"report": report.Document{}, "estate": report.Estate{}, "directory": report.Directory{},
	"options": report.Options{}, "summary": report.Summary{}, "change": report.Change{}, "path": report.Path{},
	"event": report.Event{}, "fact": report.DriftedArgument{},
	"guard": report.Guard{}, "suspended": report.Suspended{}, "stray": report.Undeclared{}, "blocked": report.Blocked{},
	"check": report.Check{}, "output": report.Output{}, "outcome": report.Outcome{}, "done": report.Done{},
	"adoption": report.Adoption{}, "file": report.File{}, "adopted": report.Adopted{},
	"diagnostic": report.Diagnostic{}, "line": report.Line{}, "range": report.Range{}, "position": report.Pos{},
	"validation": report.Validation{}, "ledger": entriesDoc{}, "entry": entryDoc{}, "kinds": docs.Kinds{},
	"kind": docs.Kind{}, "attribute": docs.Attribute{},
	"typed_output": outputDoc{}, "release": releaseDoc{},
}

// TestSchemaTellsEveryField: each type of a document has the fields that its
// schema says, which allows no others, and requires those that are never left
// out.
func TestSchemaTellsEveryField(t *testing.T) {
	t.Parallel()
	var published struct {
		Defs map[string]struct {
			Type                 string
			Properties           map[string]any
			Required             []string
			AdditionalProperties any
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(report.Schema, &published))
	for name, d := range documents {
		def, ok := published.Defs[name]
		require.True(t, ok, "%s has no schema", name)
		require.Equal(t, false, def.AdditionalProperties, "%s lets anything pass", name)
		var fields, required []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(d)) {
			if f.Anonymous {
				continue // its fields are listed as well
			}
			field, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if field == "-" {
				continue
			}
			fields = append(fields, field)
			if !strings.Contains(options, "omitempty") {
				required = append(required, field)
			}
			_, ok := def.Properties[field]
			require.True(t, ok, "the schema of a %s does not know %s", name, field)
		}
		for field := range def.Properties {
			require.Contains(t, fields, field, "no %s has it", name)
		}
		require.ElementsMatch(t, required, def.Required, "of a %s", name)
	}
	for name, def := range published.Defs {
		if def.Properties != nil {
			require.Contains(t, documents, name)
		}
	}
}

// TestOtherDocuments: what validate, ledger, schema, output and version print
// is as the schema says, too.
func TestOtherDocuments(t *testing.T) {
	t.Parallel()
	led := &ledger.Ledger{
		Header: ledger.Header{Host: "https://host/api/v4", Serial: 4},
		Entries: map[addr.Instance]ledger.Entry{
			reporttest.At(reporttest.GroupKind, "acme", "", ""): {
				Kind: "group", Key: "acme", ID: "7", Created: true,
				Owned:     map[string]ledger.Digest{"visibility": "p:x"},
				DependsOn: []addr.Instance{reporttest.At(reporttest.GroupKind, "up", "", "")},
			},
		},
	}
	kinds, err := docs.Describe(provider.Kinds(), nil)
	require.NoError(t, err)
	var outputs map[string]outputDoc
	stdout := &bytes.Buffer{}
	require.NoError(t, (&app{out: stdout}).printOutputs(reporttest.Plans["estate"].Outputs, true))
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &outputs))
	stdout.Reset()
	require.Zero(t, (&app{Env: session.Env{Version: "dev"}, out: stdout, tty: nobody}).run(
		t.Context(), []string{"version", "-json"},
	))
	for kind, doc := range map[string]any{
		"outputs": outputs, "release": json.RawMessage(stdout.Bytes()),
		"ledger": entriesOf(led, led.Sorted()), "kinds": kinds,
		"validation": report.ValidationOf(report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem("Bad",
			"It is."), {Severity: hcl.DiagWarning, Summary: "Odd", Subject: reporttest.Declared(3)}}}, []string{
			"main.tf:1:1: left alone.",
		}),
	} {
		var b bytes.Buffer
		require.NoError(t, report.WriteJSON(&b, doc))
		reporttest.Conforms(t, report.Schema, kind, b.Bytes())
	}
}

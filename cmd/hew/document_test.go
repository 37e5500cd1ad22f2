package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile/addr"
	"hew/reconcile/ledger"
)

// documents are the types of everything that hew prints as JSON, by their names
// in the schema.
var documents = map[string]any{
	"report": document{}, "estate": estateDoc{}, "directory": directoryDoc{}, "options": jsonOptions{}, "summary": summary{}, "change": jsonChange{}, "path": jsonPath{}, "guard": jsonGuard{}, "stray": jsonStray{}, "blocked": jsonBlocked{},
	"check": jsonCheck{}, "output": jsonOutput{}, "outcome": jsonOutcome{}, "done": jsonDone{}, "adoption": jsonAdoption{}, "file": jsonFile{}, "adopted": jsonAdopted{},
	"diagnostic": jsonDiagnostic{}, "line": jsonLine{}, "range": jsonRange{}, "position": jsonPos{},
	"validation": validation{}, "ledger": entriesDoc{}, "entry": entryDoc{}, "kinds": kindsDoc{}, "kind": kindDoc{}, "attribute": attrDoc{},
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
	require.NoError(t, json.Unmarshal(documentSchema, &published))
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
	led := &ledger.Ledger{Host: "https://host/api/v4", Serial: 4, Entries: map[addr.Instance]ledger.Entry{
		at(groupKind, "acme", "", ""): {Kind: "group", Key: "acme", ID: "7", Created: true, Owned: map[string]ledger.Digest{"visibility": "p:x"},
			Needs: []addr.Instance{at(groupKind, "up", "", "")}},
	}}
	kinds, err := describe(provider.Kinds(), nil)
	require.NoError(t, err)
	var outputs map[string]outputDoc
	stdout := &bytes.Buffer{}
	require.NoError(t, (&app{out: stdout}).printOutputs(plans["estate"].Outputs, true))
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &outputs))
	stdout.Reset()
	require.Zero(t, (&app{out: stdout, tty: nobody}).run(t.Context(), []string{"version", "-json"}))
	for kind, doc := range map[string]any{
		"outputs": outputs, "release": json.RawMessage(stdout.Bytes()),
		"ledger": entriesOf(led, led.Sorted()), "kinds": kinds,
		"validation": validationOf(report{Diagnostics: hcl.Diagnostics{problem("Bad", "It is."), {Severity: hcl.DiagWarning, Summary: "Odd", Subject: declared(3)}}}, []string{"main.tf:1:1: left alone."}),
	} {
		var b bytes.Buffer
		require.NoError(t, writeJSON(&b, doc))
		conforms(t, kind, b.Bytes())
	}
}

// TestNothingInJSONMovesACursor: no character that a terminal would obey is in
// a document, and all of them are read back.
func TestNothingInJSONMovesACursor(t *testing.T) {
	t.Parallel()
	const hostile = "a\x1b[2J\u009b2J\u202e\u200b\U000e0041é漢🎉\n\t<&>"
	var b bytes.Buffer
	require.NoError(t, writeJSON(&b, map[string]string{hostile: hostile}))
	harmless(t, b.String())
	require.Contains(t, b.String(), "é漢🎉")
	read := map[string]string{}
	require.NoError(t, json.Unmarshal(b.Bytes(), &read))
	require.Equal(t, map[string]string{hostile: hostile}, read)
}

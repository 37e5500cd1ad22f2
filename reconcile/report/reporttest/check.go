package reporttest

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"hew/reconcile/golden"
)

// sums are what moves with all else.
var sums = regexp.MustCompile(`"checksum": "sha256:[0-9a-f]{64}"`)

// Wanted compares sections with testdata/NAME.txtar.
func Wanted(t *testing.T, name string, files ...txtar.File) {
	t.Helper()
	got := sums.ReplaceAll(txtar.Format(&txtar.Archive{Files: files}), []byte(`"checksum": "of all else"`))
	golden.Equal(t, filepath.Join("testdata", name+".txtar"), string(got))
}

// Harmless makes sure that nothing in a text moves a terminal's cursor.
func Harmless(t *testing.T, shown string) {
	t.Helper()
	require.True(t, utf8.ValidString(shown), "%q", shown)
	require.False(t, strings.ContainsFunc(shown, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }), "%q",
		shown)
}

// Conforms checks a document against the schema that hew publishes, as one of its kind.
func Conforms(t *testing.T, schema []byte, kind string, document []byte) {
	t.Helper()
	published, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("report.schema.json", published))
	s, err := c.Compile("report.schema.json#/$defs/" + kind)
	require.NoError(t, err)
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	require.NoError(t, err)
	require.NoError(t, s.Validate(instance))
}

package document_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

// shown writes a node as tests do: the kind of a scalar with its value, JSON of others.
func shown(n *document.Node) string {
	switch n.Kind {
	case document.Null:
		return "null"
	case document.String:
		return "text " + n.Text
	case document.Bool, document.Int, document.Float:
		return n.ScalarText()
	}
	text, _ := n.MarshalJSON()
	return string(text)
}

func TestScalar(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"": "null", "~": "null", "null": "null", "NULL": "null", "nil": "text nil", "'null'": "text null",
		"yes": "true", "On": "true", "TRUE": "true", "no": "false", "off": "false", "False": "false",
		"y": "text y", "N": "text N", "'yes'": "text yes", "yess": "text yess",
		"012": "10", "0": "0", "00": "0", "08": "text 08", "0o17": "text 0o17", "-012": "-10",
		"0x1F": "31", "0b101": "5", "1_000": "1000", "0_7": "7", "0x_": "text 0x_", "1,": "text 1,",
		"1,000": "1000", "+7": "7", "-7": "-7",
		"9223372036854775807": "9223372036854775807", "9223372036854775808": "text 9223372036854775808",
		"1.50": "1.5", "1.": "1.0", ".5": "0.5", "1.0e+20": "1.0e+20", "0.00001": "1.0e-05", "1_0.5": "10.5",
		"1e3": "text 1e3", "1.5.2": "text 1.5.2", ".": "text .", "-": "null", "v1.2": "text v1.2",
		"1:30": "5400", "1:30:05": "5405", "22:99": "text 22:99", "1:30.5": "5430.0",
		".inf": "Infinity", "-.INF": "-Infinity", ".nan": "NaN",
		"2026-11-30": "text 2026-11-30", "2026-11-30 10:00:00": "text 2026-11-30 10:00:00",
		"!!str 012": "text 012", "!!int '7'": "7", "!!float 1": "1.0", "!!binary aGV3": "text hew", "!other 7": "7",
		"$CI_COMMIT_SHA": "text $CI_COMMIT_SHA", "a b": "text a b", "|\n  one\n  two\n": "text one\ntwo\n",
		"[1, a]": `[1,"a"]`, "{a: 1}": `{"a":1}`, "!reference [a, b]": `["a","b"]`,
	} {
		// A lone dash is an empty list to YAML where a block may begin.
		if written == "-" {
			continue
		}
		n, err := document.Parse("f.yml", []byte("k: "+written+"\n"), document.Limits{})
		require.NoError(t, err, written)
		require.Equal(t, want, shown(n.Get("k")), "%q", written)
	}
}

func TestFloatText(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{
		1: "1.0", -2.5: "-2.5", 1e15: "1000000000000000.0", 1e16: "1.0e+16", 1.25e-7: "1.25e-07",
		0.0001: "0.0001", math.Copysign(0, -1): "-0.0",
	} {
		require.Equal(t, want, (&document.Node{Kind: document.Float, Float: f}).ScalarText())
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, want string }{
		{"comments only", "# nothing\n", `{}`},
		{"document mark", "# comment\n---\na: 1\n", `{"a":1}`},
		{"byte order mark", "\ufeffa: 1\r\nb: 2\r\n", `{"a":1,"b":2}`},
		{"duplicate key", "a: 1\nb: 2\na: 3\n", `{"a":3,"b":2}`},
		{"merge first", "t: &t {a: 1, b: 1}\nx: {<<: *t, a: 2}\n", `{"t":{"a":1,"b":1},"x":{"a":2,"b":1}}`},
		{"merge last", "t: &t {a: 1, b: 1}\nx: {a: 2, <<: *t}\n", `{"t":{"a":1,"b":1},"x":{"a":1,"b":1}}`},
		{"merge list", "x: {<<: [{a: 1}, {a: 2, b: 2}]}\n", `{"x":{"a":1,"b":2}}`},
		{"merge of no map", "x: {<<: 1, b: 2}\n", `{"x":{"<<":1,"b":2}}`},
		{"quoted merge", "x: {'<<': {a: 1}}\n", `{"x":{"<<":{"a":1}}}`},
		{"shallow merge", ".t: &t {script: [x], variables: {A: 1}}\na: {<<: *t, variables: {B: 2}}\n",
			`{".t":{"script":["x"],"variables":{"A":1}},"a":{"script":["x"],"variables":{"B":2}}}`},
		{"alias", "a: &a [1, 2]\nb: *a\nc: {d: *a}\n", `{"a":[1,2],"b":[1,2],"c":{"d":[1,2]}}`},
		{"alias of a key", "&a k: 1\n*a : 2\n", `{"k":2}`},
		{"anchor set again", "a: &x 1\nb: *x\nc: &x 2\nd: *x\n", `{"a":1,"b":1,"c":2,"d":2}`},
		{"odd keys", "1: a\ntrue: b\n~: c\n012: d\n", `{"1":"a","true":"b","":"c","10":"d"}`},
		{"header", "spec:\n  inputs: {}\n---\na: 1\n", `{"a":1}`},
		{"two bodies", "a: 1\n---\nb: 1\n", `{"a":1}`},
		{"spec alone", "spec: {inputs: {}}\n", `{"spec":{"inputs":{}}}`},
		{"empty documents", "---\n---\na: 1\n---\n", `{"a":1}`},
	} {
		n, err := document.Parse("f.yml", []byte(test.content), document.Limits{})
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, shown(n), test.name)
	}
}

func TestParseFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, content string
		line          int
		text          string
	}{
		{"alias", "a: 1\n# *x\nb: *x\n", 3, "Unknown alias: x"},
		{"value in value", "a: 1\nb: c: d\n", 2, "mapping values are not allowed in this context at line 2"},
		{"open list", "a: 1\nb: [1,\nc: 2\n", 2, "did not find expected ',' or ']' at line 2"},
		{"tab", "a:\n\t- b\n", 2, "found character that cannot start any token at line 2"},
		{"text", "just words\n", 1, "Invalid configuration format"},
		{"list", "\n- a\n", 2, "Invalid configuration format"},
		{"header with a list", "spec: {}\n---\n- a\n", 3, "Invalid configuration format"},
		{"documents", "a: 1\n---\nb: 1\n---\nc: 1\n", 5, "The parsed YAML has too many documents"},
		{"key", "a: 1\n? [b]\n: 2\n", 2, "mapping keys must be scalars at line 2"},
		{"endless", "a: &a\n  b: *a\n", 2, "The parsed YAML is too big"},
		{"deep", strings.Repeat("[", 101) + strings.Repeat("]", 101), 1, "The parsed YAML is too big"},
		{"large", "a: '" + strings.Repeat("x", 2<<20) + "'", 0, "The provided YAML is too big"},
		{"many", "a: [" + strings.Repeat("1,", 60_000) + "]", 1, "The parsed YAML is too big"},
		{"very many", "a: [" + strings.Repeat("1,", 1_000_000) + "]", 0, "The parsed YAML is too big"},
	} {
		_, err := document.Parse("dir/f.yml", []byte(test.content), document.Limits{})
		var fault *document.Error
		require.ErrorAs(t, err, &fault, test.name)
		require.Equal(t, &document.Error{File: "dir/f.yml", Line: test.line, Text: test.text}, fault, test.name)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	n, err := document.Parse("f.yml", []byte("a: 1\n\nb:\n  - c\n  - d: 2\n"), document.Limits{})
	require.NoError(t, err)
	d := n.Get("b").Items[1].Get("d")
	require.Equal(t, []any{"f.yml", 5}, []any{d.File, d.Line})
	require.Equal(t, 3, n.Entries[1].Line)
	require.Equal(t, []bool{true, true}, []bool{n.Entries[0].Plain, n.Entries[1].Plain})
}

// message writes an error with its place.
func message(err error) string {
	var fault *document.Error
	if !errors.As(err, &fault) {
		return fmt.Sprint("not a fault of the definition: ", err)
	}
	return fmt.Sprintf("%s:%d: %s", fault.File, fault.Line, fault.Text)
}

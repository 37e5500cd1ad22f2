package config_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// linesOf are the places in a result, which differ between the syntaxes.
var linesOf = regexp.MustCompile(` @\d+|:\d+[:,][\d-]+`)

// Valid configurations in native syntax give the same result in JSON.
func TestGoodInJSON(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/good/*.txtar")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			g := readGood(t, archive)
			got := outcome(t, inJSON(g.files), g.vars, g.oracle)
			bare := func(s string) string {
				return linesOf.ReplaceAllString(strings.ReplaceAll(s, ".json:", ":"), "")
			}
			require.Equal(t, bare(g.want), bare(got))
		})
	}
}

// Invalid configurations in native syntax are invalid in JSON, too. JSON does not distinguish
// blocks from arguments.
func TestBadInJSON(t *testing.T) {
	t.Parallel()
	for _, b := range badOnes(t) {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			_, native := read(b.fsys, b.vars)
			cfg, diags := read(inJSON(b.fsys), b.vars)
			require.Equal(
				t, apart[b.name].differ, difference(summariesIn(native), summariesIn(diags)), apart[b.name].why,
			)
			wellSaid(t, diags)
			for name, f := range cfg.Sources() {
				require.NotContains(t, string(f.Bytes), marker, name)
			}
		})
	}
}

func summariesIn(diags hcl.Diagnostics) (all []string) {
	for _, d := range diags {
		s := d.Summary
		if s == "Unsupported block type" {
			s = "Unsupported argument"
		}
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

// difference is what native has more, and what JSON has more.
func difference(native, inJSON []string) (out []string) {
	for _, s := range native {
		if i := slices.Index(inJSON, s); i >= 0 {
			inJSON = slices.Delete(inJSON, i, i+1)
		} else {
			out = append(out, "native: "+s)
		}
	}
	for _, s := range inJSON {
		out = append(out, "JSON: "+s)
	}
	return out
}

// apart are the mistakes that cannot be made in JSON, or are others there.
var apart = map[string]struct {
	why    string
	differ []string
}{
	"deep.hcl":    {"a block in locals is a local value that is a map", []string{"native: Unsupported argument"}},
	"nesting.hcl": {"a block named like an argument is a map for it", []string{"native: Unsupported argument"}},
	"lifecycle.hcl": {"an address is a text in JSON, so it is not quoted too much",
		[]string{"native: Invalid replace_triggered_by expression"}},
	"secrets.txtar": {
		"texts in JSON files of variables stand for themselves", []string{"native: Variables not allowed"},
	},
	"misspelt.txtar": {"a block named like an argument is a map for it",
		[]string{"native: Unsupported argument", "JSON: Invalid value"}},
	"keyed.hcl": {
		"an address is a text in JSON, so it is not quoted too much", []string{"native: Invalid reference"},
	},
	"terraform.hcl": {
		"labels are keys of objects", []string{"native: Extraneous block label", "JSON: Incorrect JSON value type"},
	},
	"names.hcl": {"labels are keys of objects, and of one that is misspelt nothing is read",
		[]string{
			"native: Missing block label", "JSON: Incorrect JSON value type", "JSON: Reference to undeclared object",
		}},
	"variables.txtar": {"a label too many is an argument, an argument named like a block is one, and whatever " +
		"stands in a file of variables is a value",
		[]string{"native: Extraneous block label", "native: Function calls not allowed", "native: Unsupported argument",
			"JSON: Missing required argument", "JSON: No value for required variable",
			"JSON: Value for undeclared variable"}},
	"terraform.txtar": {"a block named like an argument is a map for it", []string{"native: Unsupported argument"}},
	"modules.txtar": {"labels are keys of objects: one too many is an argument, one too few makes arguments of labels",
		[]string{"native: Extraneous block label", "native: Missing block label", "JSON: Incorrect JSON value type",
			"JSON: Missing required argument"}},
}

// inJSON writes the native files of a configuration in the JSON syntax. Those
// that do not parse stay as they are.
func inJSON(fsys fstest.MapFS) fstest.MapFS {
	out := fstest.MapFS{}
	for _, name := range slices.Sorted(maps.Keys(fsys)) {
		src := bytes.ReplaceAll(fsys[name].Data, []byte("\r"), nil)
		f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
		if ext := filepath.Ext(name); !slices.Contains([]string{".hcl", ".hclvars", ".tf", ".tfvars"}, ext) ||
			diags.HasErrors() {
			out[name] = fsys[name]
			continue
		}
		body := f.Body.(*hclsyntax.Body)
		w := jsonWriter{src: src, body: body}
		var parts []string
		if strings.HasSuffix(name, "vars") {
			parts = []string{w.object(body, "")}
		} else {
			for _, item := range w.items(body, "") {
				parts = append(parts, "{"+item+"}")
			}
			parts = []string{"[" + strings.Join(parts, ",\n ") + "]"}
		}
		out[name+".json"] = &fstest.MapFile{Data: []byte(parts[0] + "\n")}
	}
	return out
}

// jsonWriter writes a file of the native syntax as JSON: values as values,
// expressions as templates, and addresses as texts.
type jsonWriter struct {
	src  []byte
	body *hclsyntax.Body
}

func (w jsonWriter) object(b *hclsyntax.Body, in string) string {
	return "{" + strings.Join(w.items(b, in), ", ") + "}"
}

// items are the properties that a body's attributes and blocks come to, in the
// order in which they stand.
func (w jsonWriter) items(b *hclsyntax.Body, in string) []string {
	at := map[int]string{}
	for name, a := range b.Attributes {
		at[a.SrcRange.Start.Byte] = quoted(name) + ": " + w.value(a.Expr, isAddress(in, name))
	}
	for _, block := range b.Blocks {
		text := w.object(block.Body, block.Type)
		for _, label := range slices.Backward(block.Labels) {
			text = "{" + quoted(label) + ": " + text + "}"
		}
		at[block.TypeRange.Start.Byte] = quoted(block.Type) + ": " + text
	}
	var items []string
	for _, pos := range slices.Sorted(maps.Keys(at)) {
		items = append(items, at[pos])
	}
	return items
}

// isAddress tells of the arguments whose texts are read as addresses or types.
func isAddress(in, name string) bool {
	switch name {
	case "depends_on", "ignore_changes", "replace_triggered_by":
		return true
	case "from", "to":
		return in == "moved" || in == "removed" || in == "import"
	}
	return name == "type" && in == "variable"
}

func (w jsonWriter) value(e hclsyntax.Expression, address bool) string {
	source := string(e.Range().SliceBytes(w.src))
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr:
		if e.IsStringLiteral() {
			v, _ := e.Value(nil)
			return quoted(strings.NewReplacer("${", "$${", "%{", "%%{").Replace(v.AsString()))
		}
	case *hclsyntax.LiteralValueExpr:
		if e.Val.IsNull() {
			return "null"
		}
		if text, err := ctyjson.Marshal(e.Val, e.Val.Type()); err == nil {
			return string(text)
		}
	case *hclsyntax.TupleConsExpr:
		var items []string
		for _, item := range e.Exprs {
			items = append(items, w.value(item, address))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *hclsyntax.ObjectConsExpr:
		var items []string
		for _, item := range e.Items {
			key, diags := item.KeyExpr.Value(nil)
			if diags.HasErrors() || key.Type() != cty.String {
				return quoted("${" + source + "}")
			}
			items = append(items, quoted(key.AsString())+": "+w.value(item.ValueExpr, false))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	if address {
		return quoted(source)
	}
	return quoted("${" + source + "}")
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

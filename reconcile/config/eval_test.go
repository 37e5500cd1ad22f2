package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

func load(t testing.TB, files map[string]string) *config.Config {
	fsys := fstest.MapFS{}
	for name, src := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(src)}
	}
	cfg, diags := config.Load(t.Context(), fsys, ".", catalog(), config.Vars{})
	require.False(t, diags.HasErrors(), diags.Error())
	return cfg
}

func TestWaves(t *testing.T) {
	t.Parallel()
	cfg := load(t, map[string]string{"main.hcl": `
		resource "group" "a" { path = "a" }
		resource "group" "b" {
			path = "b"
			description = "below ${group.a.id}"
		}
		resource "group" "c" {
			path = "c"
			description = local.b
		}
		locals { b = group.b.description }
		resource "group" "d" { path = "d" }
		resource "group" "e" {
			path = "e"
			parent = group.d.id
		}
		data "projects" "p" { group = group.a.id }
		resource "project_hook" "h" {
			for_each = data.projects.p.by_path
			project = each.value
			url = "u"
		}`})
	o := oracle{
		Objects: map[string]map[string]json.RawMessage{}, Stopped: map[string]string{}, asked: map[addr.Instance]int{},
	}
	ev := cfg.NewEval()
	run := func(stale ...addr.Block) string {
		res, diags := ev.Run(t.Context(), o, stale...)
		require.False(t, diags.HasErrors(), diags.Error())
		return text(res)
	}
	block := func(name string) addr.Block {
		b, err := addr.ParseBlock(name)
		require.NoError(t, err)
		return b
	}
	require.Contains(t, run(), "blocked project_hook.h: its keys are not known yet")

	o.Objects["group.a"] = map[string]json.RawMessage{"id": json.RawMessage("7")}
	require.NotContains(t, run(), "below 7", "nobody said that group.a is stale")
	got := run(block("group.a"))
	require.Equal(t, 2, strings.Count(got, `description = "below 7"`), "b and, through a local value, c\n%s", got)
	require.Equal(t, 1, o.asked[addr.Instance{Block: block("group.d")}], "nothing about d has changed")
	require.Equal(t, 2, o.asked[addr.Instance{Block: block("group.a")}])

	o.Objects["data.projects.p"] = map[string]json.RawMessage{"by_path": json.RawMessage(`{"a/x": 70}`)}
	require.Contains(t, run(block("data.projects.p")), "project_hook.h[\"a/x\"] (project_hook)\n  project = 70")

	o.Stopped["group.d"] = "forbidden"
	require.Contains(
		t, run(block("group.d")), "blocked group.e: depends on group.d, which is blocked: forbidden [group.d]",
	)
}

// planned answers data sources with things that do not exist yet.
type planned struct{ oracle }

func (planned) Data(addr.Instance, schema.Object) (map[string]cty.Value, bool) {
	p := addr.Instance{Block: addr.Block{Kind: "project", Name: "new"}}
	return map[string]cty.Value{"by_path": cty.MapVal(map[string]cty.Value{
		"acme/new": config.MarkOrigin(p, cty.UnknownVal(cty.Number)),
		"acme/old": cty.NumberIntVal(3),
	})}, true
}

func TestOriginOfAnswers(t *testing.T) {
	t.Parallel()
	cfg := load(t, map[string]string{"main.hcl": `
		data "projects" "p" { group = "acme" }
		locals { all = { for path, id in data.projects.p.by_path : upper(path) => { id = id } } }
		resource "project_hook" "h" {
			for_each = local.all
			project = each.value
			url = "u"
		}`})
	res, diags := cfg.NewEval().Run(t.Context(), planned{})
	require.False(t, diags.HasErrors(), diags.Error())
	require.Equal(t, `project_hook.h["ACME/NEW"]`, res.Instances[0].Addr.String())
	require.Equal(t, "project.new", res.Instances[0].Origin["project"].String())
	require.Equal(t, "[project.new]", strings.Join([]string{"[" + res.Instances[0].DependsOn[0].String() + "]"}, ""))
	require.Nil(t, res.Instances[1].Origin)
	require.Empty(t, res.Instances[1].DependsOn)
}

func TestEmptyDirectory(t *testing.T) {
	t.Parallel()
	cfg, diags := config.Load(t.Context(), fstest.MapFS{".x.hcl": {}, "README.md": {}}, ".", catalog(), config.Vars{})
	require.Nil(t, cfg)
	require.Equal(t, "No configuration files", diags[0].Summary)
	_, diags = config.Load(t.Context(), os.DirFS("testdata/none"), ".", catalog(), config.Vars{})
	require.Equal(t, "Unreadable directory", diags[0].Summary)
}

// If several files of a directory set one variable, the last file counts, as in Terraform.
func TestVariableFilesInTheirOrder(t *testing.T) {
	t.Parallel()
	files := map[string]string{"main.hcl": "variable \"x\" {}\noutput \"x\" { value = var.x }\n"}
	for _, name := range []string{"hew.hclvars", "hew.hclvars.json", "a.auto.hclvars", "a.auto.hclvars.json",
		"z.auto.hclvars"} {
		files[name] = fmt.Sprintf("x = %q\n", name)
		if strings.HasSuffix(name, ".json") {
			files[name] = fmt.Sprintf(`{"x": %q}`, name)
		}
		res, diags := load(t, files).NewEval().Run(t.Context(), nil)
		require.False(t, diags.HasErrors(), diags.Error())
		require.Equal(t, name, res.Outputs[0].Value.AsString())
	}
}

func TestFlagErrors(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"main.hcl": {Data: []byte("variable \"list\" {\n type = list(string)\n}\n")}}
	for value, want := range map[string]string{"lst": `Did you mean "list"?`,
		"list": "written as in a configuration file"} {
		_, diags := config.Load(t.Context(),
			fsys, ".", catalog(), config.Vars{Args: []config.Var{{Name: value, Value: "s3cret["}}})
		require.True(t, diags.HasErrors())
		require.Contains(t, diags.Error(), want)
		require.NotContains(t, diags.Error(), "s3cret")
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	cfg := load(t, map[string]string{"main.hcl": "resource \"group_members\" \"m\" {\n group = \"a\"\n members = " +
		"{\n  bob = {\n   access_level = 30\n  }\n }\n}\n"})
	res, _ := cfg.NewEval().Run(t.Context(), nil)
	b := res.Instances[0].Block
	for path, line := range map[string]int{"group": 2, "members": 3, `members["bob"]`: 4,
		`members["bob"].access_level`: 5, `members["bob"].expires_at`: 4,
		`members["x"]`: 3, "nothing": 1, "not a path": 1} {
		require.Equal(t, line, b.Range(path).Start.Line, path)
	}
	require.Equal(t, 5, res.Instances[0].Range("access_level").Start.Line)
	require.Equal(t, 2, res.Instances[0].Range("group").Start.Line)
}

func TestProvider(t *testing.T) {
	t.Parallel()
	cfg := load(t, map[string]string{"main.hcl": `
		locals { host = "git.example.com" }
		provider {
			base_url = "https://${local.host}/"
			token = "s3cret"
			concurrency = 4
		}`})
	p, diags := cfg.Provider()
	require.False(t, diags.HasErrors(), diags.Error())
	require.Equal(t, "https://git.example.com/", p.BaseURL)
	require.Equal(t, 4, p.Concurrency)
	require.True(t, schema.IsSecret(p.Token))
}

func TestFormat(t *testing.T) {
	t.Parallel()
	out, diags := config.Format([]byte("a=1\r\nlong = 2\r\n"), "x.hcl")
	require.Empty(t, diags)
	require.Equal(t, "a    = 1\nlong = 2\n", string(out))
	_, diags = config.Format([]byte("a = \n"), "x.hcl")
	require.True(t, diags.HasErrors())
	_, diags = config.Format([]byte("a = 1\na = 2\n"), "x.hcl")
	require.ErrorContains(t, diags, "x.hcl:1:1.", "as all diagnostics name places")
}

// TestSecretsStayOut prints sources and errors of configurations that hold a
// secret in every place where one can be written.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"literals": {"main.hcl": `
			variable "v" {
				sensitive = true
				default = "s3cret"
			}
			variable "w" { sensitive = true }
			provider { token = "s3cret" }
			resource "project_hook" "h" {
				project = 1
				url = "u"
				token = "a-s3cret-${var.v}"
			}`, "hew.hclvars": `w = "s3cret"`},
		"json": {
			"main.hcl.json": `{"resource": {"project_hook": {"h": {"project": 1, "url": "u", "token": "s3cret"}}}}`,
		},
		"does not parse": {
			"main.hcl": "resource \"project_hook\" \"h\" {\n token = \"s3cret\n}", "hew.hclvars": "x = \"s3cret",
		},
		"refused value": {"main.hcl": `
			variable "v" {
				sensitive = true
				default = "s3cret path"
			}
			resource "group" "g" {
				path = var.v
				description = group.h[var.v].path
			}
			resource "group" "h" {
				for_each = {}
				path = "h"
			}`},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, src := range files {
				fsys[name] = &fstest.MapFile{Data: []byte(src)}
			}
			cfg, diags := config.Load(t.Context(), fsys, ".", catalog(), config.Vars{})
			if !diags.HasErrors() {
				_, more := cfg.NewEval().Run(t.Context(), nil)
				diags = append(diags, more...)
			}
			var out strings.Builder
			require.NoError(t, hcl.NewDiagnosticTextWriter(&out, cfg.Sources(), 100, false).WriteDiagnostics(diags))
			require.NotContains(t, out.String(), "s3cret")
			for file, f := range cfg.Sources() {
				require.Len(t, f.Bytes, len(files[file]))
				if name != "refused value" {
					require.NotContains(t, string(f.Bytes), "s3cret")
				}
			}
		})
	}
}

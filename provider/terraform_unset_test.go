package provider

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// In Terraform's names every optional argument may have a zero value, which either is a value of
// the attribute or states nothing. Variables hold the values, as in modules.
func TestZeroArguments(t *testing.T) {
	t.Parallel()
	for _, a := range Kinds().Aliases() {
		cases := []*schema.Alias{a}
		if a.Cases != nil {
			cases = nil
			for _, word := range keys(a.Cases) {
				cases = append(cases, a.Cases[word])
			}
		}
		for _, a := range cases {
			if a.Kind == nil || strings.HasPrefix(a.Type, "data.") {
				continue
			}
			for _, zero := range []string{"null", `""`, "0", "[]"} {
				t.Run(a.Type+" "+a.Kind.Name+" "+zero, func(t *testing.T) {
					t.Parallel()
					requireZeroArguments(t, a, zero)
				})
			}
		}
	}
}

func requireZeroArguments(t *testing.T, a *schema.Alias, zero string) {
	t.Helper()
	src := fmt.Sprintf("variable \"zero\" { default = %s }\nresource %q \"x\" {\n", zero, a.Type)
	if a.By != "" {
		src += fmt.Sprintf("  %s = %q\n", a.By, strings.Replace(a.Kind.Name, "runner", "type", 1))
	}
	for _, n := range a.Names {
		at := a.Kind.Attr(n.Attr)
		if n.Shape != schema.Argument || n.Shown || at != nil && (at.Mode != schema.Optional || wrongType(at, zero)) {
			continue
		}
		if n.Name != "id" || at == nil {
			src += fmt.Sprintf("  %s = var.zero\n", n.Name)
		}
	}
	cfg, diags := config.Load(t.Context(),
		fstest.MapFS{"main.tf": {Data: []byte(src + "}\n")}}, ".", Kinds(), config.Vars{})
	for _, d := range diags {
		require.Equal(t, "Missing required argument", d.Summary, d.Detail)
	}
	_, diags = cfg.NewEval().Run(t.Context(), nil)
	for _, d := range diags {
		require.Equal(t, "Missing required argument", d.Summary, "%s\n%s",
			d.Detail, src)
	}
}

// wrongType reports whether Terraform would refuse the type of a value, zero or not.
func wrongType(at *schema.Attr, zero string) bool {
	list := at.Type.IsCollectionType() || at.ManyRefs()
	return zero == "[]" && !list || zero != "[]" && zero != "null" && list
}

// What Terraform's provider has for an argument that is left out, or empty, is stated.
func TestTerraformDefaults(t *testing.T) {
	t.Parallel()
	const tracker = `resource "gitlab_integration_custom_issue_tracker" "x" {
  project     = "acme/api"
  project_url = "https://bugs.acme.example"
  issues_url  = "https://bugs.acme.example/:id"
`
	const mirror = `resource "gitlab_project_mirror" "x" {
  project = "acme/api"
  url     = "https://mirror.acme.example/api.git"
`
	for src, want := range map[string]string{
		tracker:                              `new_issue_url = "https://bugs.acme.example"`,
		tracker + "  new_issue_url = \"\"\n": `new_issue_url = "https://bugs.acme.example"`,
		tracker + "  new_issue_url = \"https://acme.example/new\"\n": `new_issue_url = "https://acme.example/new"`,
		mirror: `only_protected_branches = true`,
		mirror + "  only_protected_branches = null\n":  `only_protected_branches = true`,
		mirror + "  only_protected_branches = false\n": `only_protected_branches = false`,
		mirror + "  mirror_branch_regex = \"v.*\"\n":   `only_protected_branches = false`,
		mirror + "  mirror_branch_regex = \"\"\n":      `only_protected_branches = true`,
	} {
		cfg, diags := config.Load(t.Context(),
			fstest.MapFS{"main.tf": {Data: []byte(src + "}\n")}}, ".", Kinds(), config.Vars{})
		require.False(t, diags.HasErrors(), "%v", diags)
		got, diags := cfg.NewEval().Run(t.Context(), nil)
		require.False(t, diags.HasErrors(), "%v", diags)
		name, value, _ := strings.Cut(want, " = ")
		o := got.Instances[0].Object
		v := o.Get(name)
		if properties := o.Get("properties"); !properties.IsNull() {
			properties, _ = properties.Unmark()
			v = properties.Index(cty.StringVal(name))
		}
		v, _ = v.UnmarkDeep()
		require.Equal(t, value, schema.Encode(v), src)
	}
}

package provider

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// TestSnippetsHideSecrets: the lines that an error shows have no secret, whatever is wrong with the
// argument that holds it or may have been meant to.
func TestSnippetsHideSecrets(t *testing.T) {
	t.Parallel()
	for name, block := range map[string]string{
		"a mirror's url":         `"push_mirror" "m" { url = "https//bob:s3cret@example.com/x" }`,
		"a mirror's other url":   `"push_mirror" "m" { url = "gopher://bob:s3cret@example.com/x" }`,
		"a hook's url":           `"project_hook" "h" { url = "https//bob:s3cret@example.com" }`,
		"a url in a wrong place": `"project_label" "l" { colour = "https://bob:s3cret@example.com" }`,
		"a url's parameter":      `"project_label" "l" { colour = "https://example.com/?private_token=s3cret" }`,
		"a url beside a reference": `"project_label" "l" {
			colour = "https://bob:s3cret@${project.none}"
		}`,
		"a misspelt property": `"integration" "i" {
			slug       = "jira"
			properties = { url = "https://jira.example.com", pasword = "s3cret" }
		}`,
		"a misspelt variable of a url": `"project_hook" "h" {
			url           = "https://example.com/{a}"
			url_variables = { "a b" = "s3cret" }
		}`,
		"an argument beside a secret": `"project_hook" "h" {
			url     = "https://example.com"
			bearer2 = "s3cret"
		}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := "resource " + block + "\n"
			cfg, diags := config.Load(t.Context(),
				fstest.MapFS{"main.hcl": {Data: []byte(src)}}, ".", Kinds(), config.Vars{})
			require.True(t, diags.HasErrors())
			require.NotContains(t, details(diags), "s3cret")
			require.NotContains(t, string(cfg.Sources()["main.hcl"].Bytes), "s3cret")
		})
	}
}

// TestVariableFilesHideSecrets: a value whose variable is misspelt may be the secret of another.
func TestVariableFilesHideSecrets(t *testing.T) {
	t.Parallel()
	cfg, diags := config.Load(t.Context(), fstest.MapFS{
		"main.hcl":    {Data: []byte("variable \"token\" {\n  sensitive = true\n  default = null\n}\n")},
		"hew.hclvars": {Data: []byte("tokne = \"s3cret\"\n")},
	}, ".", Kinds(), config.Vars{})
	require.False(t, diags.HasErrors())
	require.Contains(t, details(diags), "tokne")
	require.NotContains(t, string(cfg.Sources()["hew.hclvars"].Bytes), "s3cret")
}

// details returns the details of all diagnostics.
func details(diags hcl.Diagnostics) (all string) {
	for _, d := range diags {
		all += d.Detail + "\n"
	}
	return all
}

// TestMasksAreNoSecrets: what a page shows in the place of a secret is not set as one.
func TestMasksAreNoSecrets(t *testing.T) {
	t.Parallel()
	for value, isMask := range map[string]bool{
		"********": true, "••••••••": true, "[MASKED]": true, "(sensitive value)": true, "<redacted>": true,
		"masked": false, "a***b": false, "**": false,
	} {
		for _, block := range []string{
			`"project_hook" "h" { project = "a/b", url = "https://example.com", token = %q }`,
			`"integration" "i" { project = "a/b", slug = "jira", properties = { password = %q } }`,
		} {
			src := "resource " + strings.NewReplacer(", ", "\n", "{ ", "{\n", " }", "\n}").Replace(fmt.Sprintf(block,
				value)) + "\n"
			cfg, diags := config.Load(t.Context(),
				fstest.MapFS{"main.hcl": {Data: []byte(src)}}, ".", Kinds(), config.Vars{})
			if cfg != nil && !diags.HasErrors() {
				_, diags = cfg.NewEval().Run(t.Context(), nil)
			}
			require.Equal(t, isMask, strings.Contains(details(diags), "in the place of a secret"), "%s\n%s", src,
				diags)
		}
	}
	_, diags := config.Load(t.Context(),
		fstest.MapFS{"main.hcl": {Data: []byte("provider {\n  token = \"****\"\n}\n")}}, ".",
		Kinds(), config.Vars{})
	require.Contains(t, details(diags), "in the place of a secret")
}

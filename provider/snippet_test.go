package provider

import (
	"fmt"
	"testing"
	"testing/fstest"

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
			cfg, diags := config.Load(fstest.MapFS{"main.hcl": {Data: []byte(src)}}, ".", Kinds(), config.Vars{})
			require.True(t, diags.HasErrors())
			require.NotContains(t, fmt.Sprint(diags), "s3cret")
			require.NotContains(t, string(cfg.Sources()["main.hcl"].Bytes), "s3cret")
		})
	}
}

// TestVariableFilesHideSecrets: a value whose variable is misspelt may be the secret of another.
func TestVariableFilesHideSecrets(t *testing.T) {
	t.Parallel()
	cfg, diags := config.Load(fstest.MapFS{
		"main.hcl":    {Data: []byte("variable \"token\" {\n  sensitive = true\n  default = null\n}\n")},
		"hew.hclvars": {Data: []byte("tokne = \"s3cret\"\n")},
	}, ".", Kinds(), config.Vars{})
	require.False(t, diags.HasErrors())
	require.Contains(t, fmt.Sprint(diags), "tokne")
	require.NotContains(t, string(cfg.Sources()["hew.hclvars"].Bytes), "s3cret")
}

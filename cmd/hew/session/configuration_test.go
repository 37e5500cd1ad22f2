package session

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// TestRequiredVersion: a development build satisfies any constraint, a release
// only one that includes it.
func TestRequiredVersion(t *testing.T) {
	t.Parallel()
	at := hcl.Range{Filename: "main.hcl", Start: hcl.Pos{Line: 2, Column: 22}}
	for _, c := range []struct{ own, wanted, says string }{
		{"dev", ">= 9", ""},
		{"dev", "", ""},
		{"v1.4.2", "~> 1.4", ""},
		{"v1.4.2", ">= 2", "requires hew >= 2, but this is v1.4.2"},
	} {
		diags := checkVersion(config.Settings{RequiredVersion: c.wanted, RequiredAt: at}, c.own)
		if c.says == "" {
			require.Empty(t, diags, c.wanted)
			continue
		}
		require.ErrorContains(t, diags, c.says)
		require.Equal(t, &at, diags[0].Subject)
	}
}

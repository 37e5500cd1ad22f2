package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

func TestAdmits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		required, version string
		want              bool
	}{
		{"", "1.0", true},
		{"1.2", "1.2.0", true},
		{"= 1.2", "1.3", false},
		{">= 1.2, < 2", "1.9.9", true},
		{">= 1.2, < 2", "2.0", false},
		{"> 1.2", "v1.2.1", true},
		{"<= 1.2", "1.2.1", false},
		{"!= 1.2", "1.2", false},
		{"~> 1.2", "1.9", true},
		{"~> 1.2", "2.0", false},
		{"~> 1.2.3", "1.2.9", true},
		{"~> 1.2.3", "1.3.0", false},
		{"~> 1.2.3", "1.2.2", false},
		{">= 99", "devel", true},
		{">= 99", "939c44a", true},
		{">= 99", "47a7c2a-dirty", true},
		{">= 99", "1234567", true},
		{">= 99", "v0.1.0-5-g939c44a", true},
		{">= 0.2", "0.2.0-rc1", true},
		{">= 0.2", "v0.1.0-dirty", false},
	} {
		require.Equal(
			t, c.want, config.Settings{RequiredVersion: c.required}.Admits(c.version), "%s %s", c.required, c.version,
		)
	}
}

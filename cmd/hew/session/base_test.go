package session

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/cmd/hew/workdir"
	"hew/provider"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
)

// newEnv returns the environment of a release in a directory with one file.
func newEnv(t *testing.T, main string) Env {
	offline, err := provider.New(nil)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(main), 0o600))
	return Env{Version: "v1.4.2", Offline: offline, Dir: workdir.Dir(dir), Log: slog.New(slog.DiscardHandler)}
}

// TestLoadRefusesOtherVersions: no configuration is returned to a version that it does not accept.
func TestLoadRefusesOtherVersions(t *testing.T) {
	t.Parallel()
	cfg, found := newEnv(t, "hew {\n  required_version = \">= 99\"\n}\n").Load(t.Context(), Options{})
	require.ErrorContains(t, found.Diagnostics, "requires hew >= 99, but this is v1.4.2")
	require.Nil(t, cfg)
}

// TestBaseUsesAnswers: variables that a person typed have their values in the base configuration,
// and do not hide the ledger from the check.
func TestBaseUsesAnswers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, "variable \"name\" {\n  type = string\n}\nresource \"group\" \"a\" {\n  path = var.name\n}\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "main.hcl"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first"}} {
		git := exec.Command("git", args...)
		git.Dir = string(e.Dir)
		require.NoError(t, git.Run(), args)
	}
	o := Options{Base: "HEAD", Answers: []config.Var{{Name: "name", Value: "acme", Prompted: true}}}
	cfg, found := e.Load(t.Context(), o)
	require.False(t, found.HasErrors(), "%s", found.Diagnostics)
	base, found := e.loadBase(t.Context(), cfg, o)
	require.False(t, found.HasErrors(), "%s", found.Diagnostics)
	require.NotNil(t, base)

	file := e.Path(filepath.FromSlash(ledger.DefaultPath))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, found = e.loadBase(t.Context(), cfg, o)
	require.ErrorContains(t, found.Diagnostics, "this configuration has a ledger")
}

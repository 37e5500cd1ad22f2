package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
)

func run(env map[string]string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := root(func(name string) string { return env[name] })
	cmd.SetArgs(doubled(cmd, args))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	err := cmd.Execute()
	return out.String(), err
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{"version", "-version", "--version"} {
		out, err := run(nil, asked)
		require.NoError(t, err)
		require.Regexp(t, `^hewd dev, API \d+\.\d+\.\d+\S*\n$`, out)
	}
	out, err := run(nil, "version", "-json")
	require.NoError(t, err)
	var told map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &told))
	require.Equal(t, "dev", told["version"])
	require.Equal(t, server.Version, told["api"])
	require.Equal(t, runtime.Version(), told["go"])
	require.Equal(t, runtime.GOOS+"/"+runtime.GOARCH, told["platform"])
}

func TestHelpNamesTheEnvironmentButNotItsSecrets(t *testing.T) {
	t.Parallel()
	out, err := run(map[string]string{"HEWD_ROOT_TOKEN": "hush", "HEWD_SECRET_KEY": "hush"}, "serve", "--help")
	require.NoError(t, err)
	require.NotContains(t, out, "hush")
	for _, name := range []string{
		"HEWD_LISTEN", "HEWD_DATABASE_URL", "HEWD_DATA_DIR", "HEWD_ROOT_TOKEN", "HEWD_SECRET_KEY", "HEWD_EXTERNAL_URL", "HEWD_PG_BIN",
	} {
		require.Contains(t, out, name)
	}
}

// TestOneDash: flags are typed with one dash or two, and values are left alone.
func TestOneDash(t *testing.T) {
	t.Parallel()
	for typed, given := range map[string]string{
		"-help":                          "--help",
		"-version":                       "--version",
		"serve -help":                    "serve --help",
		"serve -listen=:1 -dev":          "serve --listen=:1 --dev",
		"serve -h --listen :1":           "serve -h --listen :1",
		"serve -root-token -x":           "serve --root-token -x",
		"migrate -pg-bin /x -data-dir=y": "migrate --pg-bin /x --data-dir=y",
	} {
		cmd := root(func(string) string { return "" })
		require.Equal(t, strings.Fields(given), doubled(cmd, strings.Fields(typed)))
	}
	for _, help := range []string{"-help", "--help", "-h"} {
		out, err := run(nil, "serve", help)
		require.NoError(t, err)
		require.Contains(t, out, "HEWD_LISTEN")
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HEWD_LISTEN": "environment"}
	cmd := serve(func(name string) string { return env[name] })
	require.NoError(t, cmd.ParseFlags(nil))
	require.Equal(t, "environment", cmd.Flag("listen").Value.String())
	require.NoError(t, cmd.ParseFlags([]string{"--listen", "flag"}))
	require.Equal(t, "flag", cmd.Flag("listen").Value.String())
	require.Equal(t, ".hewd", cmd.Flag("data-dir").Value.String())
}

func TestPlainErrors(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`unknown command "sevre"`:   {"sevre"},
		`use text or json`:          {"serve", "--log-format", "xml"},
		`unknown flag: --port`:      {"serve", "--port", "1"},
		"no initdb and postgres in": {"migrate", "--pg-bin", t.TempDir(), "--data-dir", t.TempDir()},
		"read the database URL":     {"migrate", "--database-url", "postgres://[", "--secret-key", strings.Repeat("k", 32)},
	} {
		_, err := run(nil, args...)
		require.ErrorContains(t, err, want)
	}
}

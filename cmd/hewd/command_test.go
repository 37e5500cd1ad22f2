package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"hew/server"
)

func run(env map[string]string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := newRoot(func(name string) string { return env[name] })
	cmd.SetArgs(doubleDashes(cmd, args))
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
		"HEWD_LISTEN", "HEWD_DATABASE_URL", "HEWD_DATA_DIR", "HEWD_ROOT_TOKEN", "HEWD_SECRET_KEY", "HEWD_EXTERNAL_URL",
		"HEWD_PG_BIN",
	} {
		require.Contains(t, out, name)
	}
}

// TestHelpEndsWithTheVariable: of every flag that a variable sets, the help has the default, if
// there is one, and then the variable.
func TestHelpEndsWithTheVariable(t *testing.T) {
	t.Parallel()
	for _, cmd := range documentedCommands(newRoot(func(string) string { return "" })) {
		help := cmd.Flags().FlagUsages()
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, name := range f.Annotations[fromEnvironment] {
				require.Regexp(t, `(?m)^ +--`+f.Name+` [^\n]* \[`+name+`\]$`, help)
				if standard := f.Value.String(); standard != "" {
					require.Contains(t, help, " (default "+standard+") ["+name+"]")
				}
			}
		})
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
		"blob check -verify -blob-url=x": "blob check --verify --blob-url=x",
	} {
		cmd := newRoot(func(string) string { return "" })
		require.Equal(t, strings.Fields(given), doubleDashes(cmd, strings.Fields(typed)))
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
	cmd := serveCommand(func(name string) string { return env[name] })
	require.NoError(t, cmd.ParseFlags(nil))
	require.Equal(t, "environment", cmd.Flag("listen").Value.String())
	require.NoError(t, cmd.ParseFlags([]string{"--listen", "flag"}))
	require.Equal(t, "flag", cmd.Flag("listen").Value.String())
	require.Equal(t, ".hewd", cmd.Flag("data-dir").Value.String())
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"sevre": "unknown command \"sevre\"; did you mean \"serve\"?\nRun \"hewd " +
			"--help\" for usage.",
		"sevre --listen :1": "unknown command \"sevre\"; did you mean \"serve\"?\n",
		"start":             "unknown command \"start\"\nRun",
		"serve now": "hewd serve takes no arguments; remove \"now\"\nRun \"hewd serve " +
			"--help\" for usage.",
		"serve --lisen :1": "unknown flag --lisen; did you mean --listen?\nRun \"hewd serve " +
			"--help\" for usage.",
		"serve -lisen :1":          "unknown flag --lisen; did you mean --listen?\n",
		"migrate --database-uri x": "unknown flag --database-uri; did you mean --database-url?\n",
		"serve --port 1":           "unknown flag --port\nRun",
		"serve --listen":           "--listen needs a value: --listen=ADDRESS\n",
		"serve --drain soon":       "--drain \"soon\" is not valid: time: invalid duration \"soon\"\n",
		"serve --log-format xml": "invalid log format \"xml\": set --log-format or HEWD_LOG_FORMAT to " +
			"text or json",
		"serve --log-level loud": "invalid log level \"loud\": set --log-level or HEWD_LOG_LEVEL to " +
			"debug, info, warn or error",
		"serve --external-url foo": "invalid external URL \"foo\": set --external-url or HEWD_EXTERNAL_URL to an " +
			"absolute http or https URL",
		"blob chek":                           "unknown command \"chek\"; did you mean \"check\"?\nRun \"hewd blob --help\"",
		"blob migrate":                        "invalid backend \"\": set --to to postgres or s3",
		"serve --blob-backend s3":             "there is no address of the S3 server: set --blob-url or HEWD_BLOB_URL",
		"blob check --blob-url s3://me:pw@b":  "the blob URL has credentials in it",
		"serve --blob-backend=disk":           "invalid blob backend \"disk\"",
		"help nope":                           "unknown command \"nope\"\nRun \"hewd --help\" for usage.",
		"serve --log-level INFO":              "invalid log level \"INFO\"",
		"migrate --pg-bin /x":                 "no initdb and postgres in /x",
		"migrate --database-url postgres://[": "read the database URL",
	} {
		env := map[string]string{"HEWD_DATA_DIR": t.TempDir(), "HEWD_SECRET_KEY": strings.Repeat("k", 32)}
		_, err := run(env, strings.Fields(typed)...)
		require.ErrorContains(t, err, want, typed)
	}
	_, err := run(map[string]string{"HEWD_LOG_LEVEL": "trace"}, "serve")
	require.ErrorContains(t, err, `invalid log level "trace"`)
}

func TestLogLevel(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]string{"debug": "debug info warn error", "info": "info warn error",
		"warn": "warn error", "error": "error"} {
		var out strings.Builder
		log, err := newLogger("text", level, &out)
		require.NoError(t, err)
		for _, name := range []string{"debug", "info", "warn", "error"} {
			log.Log(t.Context(), logLevels[name], name)
		}
		var written []string
		for _, m := range regexp.MustCompile(`msg=(\w+)`).FindAllStringSubmatch(out.String(), -1) {
			written = append(written, m[1])
		}
		require.Equal(t, strings.Fields(want), written, level)
	}
}

// TestHelp: every command says how it exits, and what it serves without a token.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"", "serve", "migrate", "health", "blob", "blob check", "blob migrate"} {
		out, err := run(nil, append(strings.Fields(typed), "--help")...)
		require.NoError(t, err)
		require.Regexp(t, `(?s)\nExits 0 if .*; 1 if .*\.`, out, typed)
	}
	out, err := run(nil)
	require.NoError(t, err)
	require.Contains(t, out, "Available Commands:")
	out, err = run(nil, "serve", "--help")
	require.NoError(t, err)
	for _, want := range []string{"TLS: ", "terminates TLS", "let Prometheus scrape --listen", "HEWD_LOG_LEVEL"} {
		require.Contains(t, out, want)
	}
	for line := range strings.Lines(out[:strings.Index(out, "Flags:")]) {
		require.LessOrEqual(t, len([]rune(line)), len("\n")+80, line)
	}
}

func TestHelpOfACommand(t *testing.T) {
	t.Parallel()
	out, err := run(nil, "help", "migrate")
	require.NoError(t, err)
	require.Contains(t, out, "hewd migrate")
	out, err = run(nil, "help")
	require.NoError(t, err)
	require.Contains(t, out, "hewd [command]")
	_, err = run(nil, "help", "migrat")
	require.ErrorContains(t, err, `unknown command "migrat"; did you mean "migrate"?`)
}

func TestExternalURLIsChecked(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"", "http://localhost:8080", "https://hew.example.com", "https://example.com/hew/"} {
		require.NoError(t, checkExternalURL(good))
	}
	for _, bad := range []string{"foo", "hew.example.com", "//hew.example.com", "ftp://hew.example.com", "https://",
		"https://me:pw@hew.example.com", "https://hew.example.com?a=b", "https://hew.example.com#top", ":"} {
		require.ErrorContains(t, checkExternalURL(bad), "invalid external URL", bad)
	}
	_, err := run(nil, "serve", "--external-url=foo")
	require.ErrorContains(t, err, "such as https://hew.example.com")
}

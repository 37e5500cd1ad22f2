package config_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
	"hew/reconcile/golden"
)

// TestMessages holds the words of all errors, warnings and notes of the other
// tests' configurations in one file, so that a change of wording is one diff.
func TestMessages(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, bad := range badOnes(t) {
		fmt.Fprintf(&b, "== bad/%s\n", bad.name)
		cfg, diags := read(bad.fsys, bad.vars)
		for _, d := range diags {
			fmt.Fprintln(&b, said(d))
		}
		writeNotes(&b, cfg)
	}
	names, err := filepath.Glob("testdata/good/*.txtar")
	require.NoError(t, err)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		g := readGood(t, archive)
		cfg, diags := config.Load(t.Context(), g.files, ".", catalog(), g.vars)
		var messages strings.Builder
		for _, d := range diags {
			fmt.Fprintln(&messages, said(d))
		}
		writeNotes(&messages, cfg)
		if messages.Len() > 0 {
			fmt.Fprintf(&b, "== good/%s\n%s", filepath.Base(name), messages.String())
		}
	}
	golden.Equal(t, "testdata/messages.txt", b.String())
}

func writeNotes(b *strings.Builder, cfg *config.Config) {
	if cfg == nil {
		return
	}
	for _, n := range cfg.Notes() {
		fmt.Fprintf(b, "%s\n", n)
	}
}

// Package golden holds tests to files that say what is wanted. With -update a test writes them from what the code does
// now, to be read before they are kept.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// Update tells whether files are to be written and not compared.
var Update = flag.Bool("update", false, "rewrite golden files from what the code does now")

// Equal holds a text to the one in a file.
func Equal(t testing.TB, file, got string) {
	t.Helper()
	if *Update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "if that is right, the test's -update rewrites %s", file)
}

// Cases runs the cases of a directory side by side: each is an archive of files, what is given and what is to come of it.
// run returns all of them as they come out.
func Cases(t *testing.T, dir string, run func(t *testing.T, given *txtar.Archive) []txtar.File) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			given, err := txtar.ParseFile(file)
			require.NoError(t, err)
			Equal(t, file, string(txtar.Format(&txtar.Archive{Comment: given.Comment, Files: run(t, given)})))
		})
	}
}

// With are files of which one has a text, at their end if there was none.
func With(files []txtar.File, name, text string) []txtar.File {
	files = slices.Clone(files)
	i := slices.IndexFunc(files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return append(files, txtar.File{Name: name, Data: []byte(text)})
	}
	files[i].Data = []byte(text)
	return files
}

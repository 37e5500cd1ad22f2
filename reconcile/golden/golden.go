// Package golden compares the output of tests with files. With -update a test writes the files
// instead; read them before you commit them.
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

// Update is the flag -update: write files rather than compare them.
var Update = flag.Bool("update", false, "rewrite golden files")

// Equal compares a text with a file.
func Equal(t testing.TB, file, got string) {
	t.Helper()
	if *Update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "if the new text is right, run the test with -update to rewrite %s", file)
}

// Cases runs the cases of a directory in parallel. Each case is a txtar archive with the input and
// the expected output. run returns all files of the archive as they are to be.
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

// WithFile returns files with the named one set to text; if there is none, it is added at the end.
func WithFile(files []txtar.File, name, text string) []txtar.File {
	files = slices.Clone(files)
	i := slices.IndexFunc(files, func(f txtar.File) bool { return f.Name == name })
	if i < 0 {
		return append(files, txtar.File{Name: name, Data: []byte(text)})
	}
	files[i].Data = []byte(text)
	return files
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/rewrite"
)

// TestReplace: files are written in the form that they are read in, or none is
// written at all.
func TestReplace(t *testing.T) {
	t.Parallel()
	const before, after = "a = 1\nb = 2\nc = 3\n", "a = 1\nb = 5\nnew = 4\nc = 3\n"
	crlf := strings.NewReplacer("\n", "\r\n")
	for name, c := range map[string]struct{ raw, want, says string }{
		"as it is":              {raw: before, want: after},
		"of another system":     {raw: "\xef\xbb\xbf" + crlf.Replace(before), want: "\xef\xbb\xbf" + crlf.Replace(after)},
		"of two systems":        {raw: "a = 1\nb = 2\nc = 3\r\n", want: "a = 1\nb = 5\nnew = 4\nc = 3\r\n"},
		"changed meanwhile":     {raw: before + "d = 4\n", says: "nothing was written: sub/main.hcl has changed since it was read"},
		"not there any more":    {says: "nothing was written: sub/main.hcl cannot be read again"},
		"a link":                {raw: "-> other.hcl", says: "is a link, or no file at all"},
		"in a linked directory": {raw: "=> " + before, says: "nothing was written: sub/main.hcl cannot be read again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, outside := t.TempDir(), t.TempDir()
			file := filepath.Join(dir, "sub", "main.hcl")
			a := &app{dir: dir}
			if content, linked := strings.CutPrefix(c.raw, "=> "); linked {
				require.NoError(t, os.WriteFile(filepath.Join(outside, "main.hcl"), []byte(content), 0o644))
				require.NoError(t, os.Symlink(outside, filepath.Join(dir, "sub")))
				c.raw = content
			} else {
				require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
			}
			switch to, link := strings.CutPrefix(c.raw, "-> "); {
			case link:
				require.NoError(t, os.WriteFile(filepath.Join(dir, "sub", to), []byte(before), 0o644))
				require.NoError(t, os.Symlink(to, file))
				c.raw = before
			case c.raw != "":
				require.NoError(t, os.WriteFile(file, []byte(c.raw), 0o640))
				require.NoError(t, os.Chmod(file, 0o640))
			}
			first := filepath.Join(dir, "first.hcl")
			require.NoError(t, os.WriteFile(first, []byte(before), 0o600))
			err := a.replace([]rewrite.File{
				{Name: "first.hcl", Before: []byte(before), After: []byte(after)},
				{Name: "sub/main.hcl", Before: []byte(before), After: []byte(after)},
			})
			want, also := c.want, after
			if c.says != "" {
				require.ErrorContains(t, err, c.says)
				want, also = c.raw, before
			} else {
				require.NoError(t, err)
				info, err := os.Stat(file)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
			}
			got, _ := os.ReadFile(file)
			require.Equal(t, want, string(got))
			got, _ = os.ReadFile(first)
			require.Equal(t, also, string(got), "all or none")
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, entries, 2, "nothing else is left")
		})
	}
}

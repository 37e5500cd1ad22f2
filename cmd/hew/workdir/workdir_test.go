package workdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
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
		"as it is": {raw: before, want: after},
		"of another system": {
			raw: "\xef\xbb\xbf" + crlf.Replace(before), want: "\xef\xbb\xbf" + crlf.Replace(after),
		},
		"of two systems": {raw: "a = 1\nb = 2\nc = 3\r\n", want: "a = 1\nb = 5\nnew = 4\nc = 3\r\n"},
		"changed meanwhile": {
			raw: before + "d = 4\n", says: "nothing was written: sub/main.hcl has changed since it was read",
		},
		"not there any more":    {says: "nothing was written: sub/main.hcl cannot be read again"},
		"a link":                {raw: "-> other.hcl", want: after},
		"in a linked directory": {raw: "=> " + before, says: "nothing was written: sub/main.hcl cannot be read again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, outside := t.TempDir(), t.TempDir()
			file := filepath.Join(dir, "sub", "main.hcl")
			d := Dir(dir)
			if content, linked := strings.CutPrefix(c.raw, "=> "); linked {
				require.NoError(t, os.WriteFile(filepath.Join(outside, "main.hcl"), []byte(content), 0o644))
				require.NoError(t, os.Symlink(outside, filepath.Join(dir, "sub")))
				c.raw = content
			} else {
				require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
			}
			switch to, link := strings.CutPrefix(c.raw, "-> "); {
			case link:
				require.NoError(t, os.WriteFile(filepath.Join(dir, "sub", to), []byte(before), 0o640))
				require.NoError(t, os.Symlink(to, file))
				c.raw = before
			case c.raw != "":
				require.NoError(t, os.WriteFile(file, []byte(c.raw), 0o640))
				require.NoError(t, os.Chmod(file, 0o640))
			}
			first := filepath.Join(dir, "first.hcl")
			require.NoError(t, os.WriteFile(first, []byte(before), 0o600))
			err := d.Replace([]rewrite.File{
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
			if linked, err := os.Lstat(file); err == nil {
				require.Equal(
					t, strings.HasPrefix(name, "a link"), linked.Mode()&os.ModeSymlink != 0, "a link stays one",
				)
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

// TestWritable: what is behind a link is written where it is, and what leads out
// of the directory, or is one file under two names, is left and listed.
func TestWritable(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	for _, file := range []string{dir + "/plain.hcl", dir + "/real.hcl", dir + "/shared.hcl", outside + "/far.hcl"} {
		require.NoError(t, os.WriteFile(file, nil, 0o600))
	}
	for name, to := range map[string]string{"link.hcl": "real.hcl", "one.hcl": "shared.hcl", "two.hcl": "shared.hcl",
		"out.hcl": outside + "/far.hcl", "gone.hcl": "nowhere"} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	var all rewrite.Result
	for _, name := range []string{"plain.hcl", "link.hcl", "one.hcl", "two.hcl", "out.hcl", "gone.hcl"} {
		all.Files = append(all.Files, rewrite.File{Name: name})
		all.Written = append(all.Written, rewrite.Value{Attr: name, At: hcl.Range{Filename: name}})
	}
	got := Dir(dir).Writable(&all)
	var written, left []string
	for i, v := range got.Written {
		require.Equal(t, v.Attr, got.Files[i].Name)
		written = append(written, v.Attr)
	}
	for _, v := range got.Manual {
		left = append(left, v.Attr+": "+v.Why)
	}
	require.Equal(t, []string{"plain.hcl", "link.hcl"}, written)
	require.Len(t, got.Files, 2)
	require.Len(t, left, 4)
	require.Equal(t, []string{"one.hcl: it is the same file as two.hcl, by a link",
		"two.hcl: it is the same file as one.hcl, by a link"}, left[:2])
	require.Contains(t, left[2], "out.hcl: it is a link that leads out of the directory")
	require.Contains(t, left[3], "gone.hcl: ")
}

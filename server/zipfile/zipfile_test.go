package zipfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/zipfile"
)

// pack returns an archive of files, each a name and its content.
func pack(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		require.NoError(t, err)
		_, err = io.WriteString(w, files[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

func open(content []byte) (*zipfile.Archive, error) {
	return zipfile.Open(bytes.NewReader(content), int64(len(content)))
}

// unpack returns the content of every entry.
func unpack(a *zipfile.Archive) (contents []string, err error) {
	for _, e := range a.Entries {
		r, err := a.Open(e)
		if err != nil {
			return contents, err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return contents, err
		}
		contents = append(contents, string(content))
	}
	return contents, nil
}

// TestOpen: entries are as archive/zip wrote them, in its order.
func TestOpen(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 100_000)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	require.NoError(t, z.SetComment("PK\x05\x06 and more"))
	for _, h := range []zip.FileHeader{
		{Name: "z", Method: zip.Deflate, Comment: "c", Extra: []byte{1, 2, 2, 0, 3, 4}},
		{Name: "../a", Method: zip.Store}, {Name: "d/"},
	} {
		w, err := z.CreateHeader(&h)
		require.NoError(t, err)
		if !strings.HasSuffix(h.Name, "/") {
			_, err = io.WriteString(w, long)
			require.NoError(t, err)
		}
	}
	link := zip.FileHeader{Name: "link"}
	link.SetMode(fs.ModeSymlink | 0o777)
	_, err := z.CreateHeader(&link)
	require.NoError(t, err)
	require.NoError(t, z.Close())

	for _, content := range [][]byte{out.Bytes(), append([]byte("a program before it"), out.Bytes()...)} {
		a, err := open(content)
		require.NoError(t, err)
		var names []string
		var types []fs.FileMode
		for _, e := range a.Entries {
			names, types = append(names, e.Name), append(types, e.Mode.Type())
		}
		require.Equal(t, []string{"z", "../a", "d/", "link"}, names)
		require.Equal(t, []fs.FileMode{0, 0, fs.ModeDir, fs.ModeSymlink}, types)
		contents, err := unpack(a)
		require.NoError(t, err)
		require.Equal(t, []string{long, long, "", ""}, contents)
		require.Less(t, a.Entries[0].Packed, int64(10_000))
		require.EqualValues(t, len(long), a.Entries[1].Packed)
	}
	empty, err := open(pack(t))
	require.NoError(t, err)
	require.Empty(t, empty.Entries)
}

// TestLarge: the end record of archives with more than 65,535 entries, and their limit.
func TestLarge(t *testing.T) {
	t.Parallel()
	of := func(entries int) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for i := range entries {
			_, err := z.CreateHeader(&zip.FileHeader{Name: strconv.Itoa(i)})
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		return out.Bytes()
	}
	a, err := open(of(zipfile.MaxEntries))
	require.NoError(t, err)
	require.Len(t, a.Entries, zipfile.MaxEntries)
	require.Equal(t, "99999", a.Entries[99_999].Name)
	_, err = open(of(zipfile.MaxEntries + 1))
	require.ErrorIs(t, err, zipfile.ErrTooMany)
}

// TestBeforeTheEnd: records between the directory and the end record. Info-ZIP writes them when it
// reads from a pipe.
func TestBeforeTheEnd(t *testing.T) {
	t.Parallel()
	content := pack(t, "a", "x")
	at := bytes.LastIndex(content, []byte(end))
	a, err := open(slices.Concat(content[:at], []byte(strings.Repeat("PK\x06\x06", 19)), content[at:]))
	require.NoError(t, err)
	contents, err := unpack(a)
	require.NoError(t, err)
	require.Equal(t, []string{"x"}, contents)
}

// failingReader fails from an offset on.
type failingReader struct {
	content []byte
	from    int64
}

var errBroken = errors.New("broken")

func (r failingReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > r.from {
		return 0, errBroken
	}
	return bytes.NewReader(r.content).ReadAt(p, at)
}

// TestReaderErrors: what the reader below says is passed on as it is.
func TestReaderErrors(t *testing.T) {
	t.Parallel()
	content := pack(t, "a", "x")
	_, err := zipfile.Open(failingReader{content, 10}, int64(len(content)))
	require.Equal(t, errBroken, err)
}

// TestSeeking: a reader that seeks can be read at any offset.
func TestSeeking(t *testing.T) {
	t.Parallel()
	r := zipfile.Seeking(strings.NewReader("0123456789"))
	p := make([]byte, 4)
	for _, c := range []struct {
		at   int64
		want string
		err  error
	}{{6, "6789", nil}, {2, "2345", nil}, {8, "89", io.EOF}, {10, "", io.EOF}, {20, "", io.EOF}} {
		n, err := r.ReadAt(p, c.at)
		require.Equal(t, c.want, string(p[:n]))
		require.Equal(t, c.err, err)
	}
}

// FuzzOpen: nothing panics, and what is read is what was claimed.
func FuzzOpen(f *testing.F) {
	f.Add(pack(f))
	f.Add(pack(f, "a", "x", "b/c", strings.Repeat("y", 1000)))
	f.Add(claims(3, 3))
	f.Add(edit(pack(f, "a", "x"), listed, 24, 5))
	f.Fuzz(func(t *testing.T, content []byte) {
		a, err := open(content)
		if err != nil {
			require.True(t, errors.Is(err, zipfile.ErrFormat) || errors.Is(err, zipfile.ErrTooMany), err)
			return
		}
		for _, e := range a.Entries {
			r, err := a.Open(e)
			if err != nil {
				continue
			}
			if n, err := io.Copy(io.Discard, r); err == nil {
				require.Equal(t, e.Size, n)
			} else {
				require.ErrorIs(t, err, zipfile.ErrFormat)
			}
		}
	})
}

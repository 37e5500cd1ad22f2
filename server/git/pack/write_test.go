package pack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/pack"
)

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// loose returns the objects of a store as rows hold them.
func loose(store gittest.Store) iter.Seq2[pack.Loose, error] {
	return func(yield func(pack.Loose, error) bool) {
		var body []byte
		for id, o := range store {
			body = pack.Deflate(body[:0], o.Data)
			if !yield(pack.Loose{ID: id, Kind: o.Kind, Size: int64(len(o.Data)), Body: body}, nil) {
				return
			}
		}
	}
}

// writePack writes a pack of a store and returns its path, without extension.
func writePack(t *testing.T, store gittest.Store) string {
	var out bytes.Buffer
	_, index, err := pack.Write(&out, len(store), loose(store))
	require.NoError(t, err)
	return writeFiles(t, out.Bytes(), index)
}

func writeFiles(t *testing.T, data, index []byte) string {
	path := filepath.Join(t.TempDir(), "p")
	require.NoError(t, os.WriteFile(path+".pack", data, 0o600))
	require.NoError(t, os.WriteFile(path+".idx", index, 0o600))
	return path
}

func TestWrite(t *testing.T) {
	t.Parallel()
	from := gittest.Random(t, 21, 100)
	store := from.Objects()
	var out bytes.Buffer
	name, index, err := pack.Write(&out, len(store), loose(store))
	require.NoError(t, err)

	to := gittest.New(t)
	path := filepath.Join(to.Dir, "objects/pack/pack-"+hex.EncodeToString(name[:]))
	require.NoError(t, os.WriteFile(path+".pack", out.Bytes(), 0o600))
	require.NoError(t, os.WriteFile(path+".idx", index, 0o600))
	refs := from.Git("", "for-each-ref", "--format=create %(refname) %(objectname)")
	to.Git(refs, "update-ref", "--stdin")
	to.Git("", "symbolic-ref", "HEAD", "refs/heads/b0")
	require.Equal(t, "", to.Git("", "fsck", "--strict", "--no-dangling"))
	to.Git("", "verify-pack", path+".idx")

	// The index is what git makes.
	to.Git("", "index-pack", "-o", to.Dir+"/own.idx", path+".pack")
	own, err := os.ReadFile(to.Dir + "/own.idx")
	require.NoError(t, err)
	require.Equal(t, own, index)
	checkAll(t, open(t, path), store)
}

func TestWriteOfNothing(t *testing.T) {
	t.Parallel()
	checkAll(t, open(t, writePack(t, gittest.Store{})), gittest.Store{})
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	store.Add(object.KindBlob, []byte("a"))
	store.Add(object.KindBlob, []byte("b"))
	twice := func(yield func(pack.Loose, error) bool) {
		for range 2 {
			yield(pack.Loose{ID: object.ID{1}, Kind: object.KindBlob}, nil)
		}
	}
	failing := func(yield func(pack.Loose, error) bool) { yield(pack.Loose{}, errors.New("no rows")) }
	for want, write := range map[string]func() error{
		"write pack: there are more than 1 objects": func() error {
			_, _, err := pack.Write(io.Discard, 1, loose(store))
			return err
		},
		"write pack: there are 2 objects instead of 3": func() error {
			_, _, err := pack.Write(io.Discard, 3, loose(store))
			return err
		},
		"write pack: object 0100000000000000000000000000000000000000 comes twice": func() error {
			_, _, err := pack.Write(io.Discard, 2, twice)
			return err
		},
		"no rows": func() error {
			_, _, err := pack.Write(io.Discard, 1, failing)
			return err
		},
		"write pack: io: read/write on closed pipe": func() error {
			r, w := io.Pipe()
			_ = r.Close()
			_, _, err := pack.Write(w, 2, loose(store))
			return err
		},
	} {
		require.EqualError(t, write(), want)
	}
}

func TestDeflate(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 100, 1 << 20, 5<<20 + 17} {
		content := bytes.Repeat([]byte("ab"), size)[:size]
		body := pack.Deflate([]byte("kept"), content)
		require.Equal(t, "kept", string(body[:4]))
		body = body[4:]
		got, err := pack.Inflate(body, int64(size))
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, got))

		_, err = pack.Inflate(body, int64(size)+1)
		require.ErrorContains(t, err, "the zlib stream ends after ")
		if size > 0 {
			_, err = pack.Inflate(body, int64(size)-1)
			require.EqualError(t, err, "the zlib stream holds more bytes than announced")
			body[len(body)-1] ^= 1
			_, err = pack.Inflate(body, int64(size))
			require.EqualError(t, err, "read zlib stream: zlib: invalid checksum")
		}
	}
	_, err := pack.Inflate(nil, 0)
	require.EqualError(t, err, "read zlib stream: unexpected EOF")
	_, err = pack.Inflate([]byte("junk"), 4)
	require.EqualError(t, err, "read zlib stream: zlib: invalid header")
}

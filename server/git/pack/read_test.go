package pack_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// limit is more than any object of the tests has.
const limit = 1 << 30

// packs returns the paths of the packs of a repository, without their extension.
func packs(t *testing.T, r gittest.Repo) []string {
	paths, err := filepath.Glob(r.Dir + "/objects/pack/*.pack")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for i := range paths {
		paths[i] = strings.TrimSuffix(paths[i], ".pack")
	}
	return paths
}

func open(t *testing.T, path string, options ...pack.Option) *pack.Pack {
	p, err := pack.Open(path+".pack", path+".idx", options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// ways are how one pack can be written: with deltas that name offsets or ids, deep ones, and an
// index with offsets of 64 bits.
var ways = map[string]func(t *testing.T, r gittest.Repo) (path string){
	"offset deltas": func(t *testing.T, r gittest.Repo) string {
		r.Git("", "repack", "-q", "-a", "-d", "-k", "-f", "--depth=250", "--window=20")
		return packs(t, r)[0]
	},
	"ref deltas": func(t *testing.T, r gittest.Repo) string {
		path := t.TempDir() + "/p"
		r.Git("", "repack", "-q", "-a", "-d", "-k")
		objects := r.Git("", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
		r.Git(objects, "pack-objects", "-q", "--no-reuse-delta", path)
		paths, err := filepath.Glob(path + "-*.pack")
		require.NoError(t, err)
		return strings.TrimSuffix(paths[0], ".pack")
	},
	"wide offsets": func(t *testing.T, r gittest.Repo) string {
		r.Git("", "repack", "-q", "-a", "-d", "-k")
		from, to := packs(t, r)[0], t.TempDir()+"/p"
		r.Git("", "index-pack", "--index-version=2,0x1000", "-o", to+".idx", from+".pack")
		r.Git("", "verify-pack", from+".pack")
		require.NoError(t, copyFile(from+".pack", to+".pack"))
		return to
	},
}

func TestPack(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Random(t, 11, 100)
			objects := r.Objects()
			path := way(t, r)
			for _, how := range []string{"mapped", "unmapped", "small cache"} {
				cache := pack.NewCache(1 << 20)
				if how == "small cache" {
					cache = pack.NewCache(10_000)
				}
				p := open(t, path, pack.WithCache(cache))
				if how == "unmapped" {
					require.NoError(t, p.Unmapped())
				}
				checkAll(t, p, objects)
				require.Positive(t, cache.CacheSize())
			}
		})
	}
}

// checkAll reads all objects in every way.
func checkAll(t *testing.T, p *pack.Pack, objects gittest.Store) {
	require.Equal(t, len(objects), p.Len())
	count := 0
	for id := range p.IDs() {
		count++
		want, ok := objects[id]
		require.True(t, ok)
		_, ok = p.Find(id)
		require.True(t, ok)

		o, err := p.Read(id, limit)
		require.NoError(t, err)
		require.Equal(t, want.Kind, o.Kind)
		require.Equal(t, string(want.Data), string(o.Data))

		kind, size, err := p.Header(id)
		require.NoError(t, err)
		require.Equal(t, want.Kind, kind)
		require.Equal(t, int64(len(want.Data)), size)

		stream, size, err := p.Stream(id)
		require.NoError(t, err)
		require.Equal(t, int64(len(want.Data)), size)
		data, err := io.ReadAll(stream)
		require.NoError(t, err)
		require.Equal(t, string(want.Data), string(data))
		require.NoError(t, stream.Close())
	}
	require.Equal(t, len(objects), count)

	for _, none := range []object.ID{{}, {1, 2}, {0xff, 0xff, 0xff}} {
		_, ok := p.Find(none)
		require.False(t, ok)
		_, err := p.Read(none, limit)
		require.ErrorIs(t, err, object.ErrNotFound)
		_, _, err = p.Header(none)
		require.ErrorIs(t, err, object.ErrNotFound)
		_, _, err = p.Stream(none)
		require.ErrorIs(t, err, object.ErrNotFound)
	}
}

func TestReadingIsLimited(t *testing.T) {
	t.Parallel()
	r := gittest.Random(t, 12, 60)
	p := open(t, ways["offset deltas"](t, r))
	for id, o := range r.Objects() {
		_, err := p.Read(id, int64(len(o.Data))-1)
		require.ErrorIs(t, err, pack.ErrTooLarge)
	}
}

func TestPacksAreReadAtOnce(t *testing.T) {
	t.Parallel()
	r := gittest.Random(t, 13, 60)
	objects := r.Objects()
	path := ways["offset deltas"](t, r)
	cache := pack.NewCache(20_000)
	var readers sync.WaitGroup
	for range 4 {
		p, err := pack.Open(path+".pack", path+".idx", pack.WithCache(cache))
		require.NoError(t, err)
		readers.Go(func() {
			for id := range p.IDs() {
				o, err := p.Read(id, limit)
				if err != nil || o.ID() != id {
					t.Errorf("object %s: %v", id, err)
				}
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	require.NotEmpty(t, objects)
	require.Zero(t, cache.CacheSize(), "closed packs leave nothing")
}

func TestCloseWaitsForStreams(t *testing.T) {
	t.Parallel()
	var store = gittest.Store{}
	id := store.Add(object.KindBlob, []byte(strings.Repeat("content ", 1000)))
	path := writePack(t, store)
	p, err := pack.Open(path+".pack", path+".idx")
	require.NoError(t, err)
	stream, _, err := p.Stream(id)
	require.NoError(t, err)
	require.NoError(t, p.Close())
	require.NoError(t, p.Close())

	data, err := io.ReadAll(stream)
	require.NoError(t, err)
	require.Equal(t, string(store[id].Data), string(data))
	require.NoError(t, stream.Close())
	require.NoError(t, stream.Close())
	_, err = stream.Read(make([]byte, 1))
	require.EqualError(t, err, "read pack: it is closed")

	_, ok := p.Find(id)
	require.False(t, ok)
	_, err = p.Read(id, limit)
	require.EqualError(t, err, fmt.Sprintf("read object %s of pack %s.pack: read pack: it is closed", id, path))
	for range p.IDs() {
		t.Fatal("a closed pack has no ids")
	}
}

package pack_test

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/pack"
)

const (
	offsetDelta = 6
	refDelta    = 7
	blob        = byte(object.KindBlob)
)

// size writes a number as deltas have it.
func size(n int64) (b []byte) {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

// delta returns a delta between sizes, with its instructions.
func delta(base, result int64, instructions ...byte) []byte {
	return append(append(size(base), size(result)...), instructions...)
}

// rawPack writes a pack of entries as they are and opens it.
func rawPack(t *testing.T, entries []pack.RawEntry, options ...pack.Option) *pack.Pack {
	data, index := pack.RawPack(func(offsets []int64) (pack.RawEntry, bool) {
		if len(offsets) == len(entries) {
			return pack.RawEntry{}, false
		}
		return entries[len(offsets)], true
	})
	return open(t, writeFiles(t, data, index), options...)
}

func id(n byte) object.ID { return object.ID{n} }

// against returns a ref delta.
func against(self, base object.ID, delta []byte) pack.RawEntry {
	return pack.RawEntry{
		ID: self, Kind: refDelta, Base: base[:], Size: int64(len(delta)), Body: pack.Deflate(nil, delta),
	}
}

func TestHostileEntries(t *testing.T) {
	t.Parallel()
	base := pack.RawEntry{ID: id(1), Kind: blob, Size: 4, Body: pack.Deflate(nil, []byte("base"))}
	for name, c := range map[string]struct {
		entry pack.RawEntry
		want  string
	}{
		"size of 4 GB": {
			pack.RawEntry{ID: id(2), Kind: blob, Size: 4 << 30, Body: pack.Deflate(nil, []byte("x"))},
			"git object is too large",
		},
		"size below the limit": {
			pack.RawEntry{ID: id(2), Kind: blob, Size: limit, Body: pack.Deflate(nil, []byte("x"))},
			"the zlib stream ends after 1 of 1073741824 bytes",
		},
		"longer than announced": {
			pack.RawEntry{ID: id(2), Kind: blob, Size: 3, Body: pack.Deflate(nil, []byte("base"))},
			"the zlib stream holds more bytes than announced",
		},
		"delta to 4 GB":        {against(id(2), id(1), delta(4, 4<<30, 0x90, 4)), "git object is too large"},
		"delta to much":        {against(id(2), id(1), delta(4, limit, 0x90, 4)), "the delta is malformed"},
		"delta of other base":  {against(id(2), id(1), delta(5, 4, 0x90, 4)), "for a base of 5 bytes instead of 4"},
		"delta to more":        {against(id(2), id(1), delta(4, 5, 0x90, 4)), "the delta is malformed"},
		"delta to less":        {against(id(2), id(1), delta(4, 3, 0x90, 4)), "the delta is malformed"},
		"copy beyond the base": {against(id(2), id(1), delta(4, 5, 0x90, 5)), "the delta is malformed"},
		"copy from beyond":     {against(id(2), id(1), delta(4, 4, 0x91, 9, 4)), "the delta is malformed"},
		"copy cut off":         {against(id(2), id(1), delta(4, 4, 0x91, 0)), "the delta is malformed"},
		"insert cut off":       {against(id(2), id(1), delta(4, 4, 4, 'a')), "the delta is malformed"},
		"instruction 0":        {against(id(2), id(1), delta(4, 0, 0)), "the delta is malformed"},
		"empty delta":          {against(id(2), id(1), nil), "the delta is malformed"},
		"endless size":         {against(id(2), id(1), bytes.Repeat([]byte{0xff}, 30)), "the delta is malformed"},
		"base is itself":       {against(id(2), id(2), delta(4, 4, 0x90, 4)), "a chain of more than 4095 deltas"},
		"base is elsewhere":    {against(id(2), id(9), delta(4, 4, 0x90, 4)), "git object not found"},
		"kind 0":               {pack.RawEntry{ID: id(2), Kind: 0}, "unknown kind 0"},
		"kind 5":               {pack.RawEntry{ID: id(2), Kind: 5}, "unknown kind 5"},
		"offset before the pack": {
			pack.RawEntry{ID: id(2), Kind: offsetDelta, Base: []byte{0x80, 0x80, 0x80, 0}}, "the entry is malformed",
		},
		"offset of itself": {pack.RawEntry{ID: id(2), Kind: offsetDelta, Base: []byte{0}}, "the entry is malformed"},
		"offset into the header": {
			pack.RawEntry{
				ID: id(2), Kind: offsetDelta, Base: []byte{20}, Body: pack.Deflate(nil, delta(4, 4, 0x90, 4)),
			},
			"is outside of the pack",
		},
		"endless offset": {
			pack.RawEntry{ID: id(2), Kind: offsetDelta, Base: bytes.Repeat([]byte{0xff}, 30)}, "the entry is malformed",
		},
		"no zlib": {pack.RawEntry{ID: id(2), Kind: blob, Size: 9, Body: []byte("junk")}, "zlib: invalid header"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := rawPack(t, []pack.RawEntry{base, c.entry})
			_, err := p.Read(id(2), limit)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "read object 0200000000000000000000000000000000000000 of pack ")
			_, _, _ = p.Header(id(2)) // must not panic
			if stream, _, err := p.Stream(id(2)); err == nil {
				_, err = io.Copy(io.Discard, stream)
				require.Error(t, err)
				require.NoError(t, stream.Close())
			}
			o, err := p.Read(id(1), limit)
			require.NoError(t, err)
			require.Equal(t, "base", string(o.Data))
		})
	}
}

// TestHostileSizesTakeNoMemory is not parallel: it measures what is allocated meanwhile.
func TestHostileSizesTakeNoMemory(t *testing.T) {
	p := rawPack(t, []pack.RawEntry{
		{ID: id(1), Kind: blob, Size: 4, Body: pack.Deflate(nil, []byte("base"))},
		{ID: id(2), Kind: blob, Size: limit, Body: pack.Deflate(nil, []byte("x"))},
		against(id(3), id(1), delta(4, limit, 0x90, 4)),
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, bad := range []object.ID{id(2), id(3)} {
		_, err := p.Read(bad, limit)
		require.Error(t, err)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
}

func TestChainsAreBounded(t *testing.T) {
	t.Parallel()
	number := func(n int) (i object.ID) {
		i[0], i[1] = byte(n>>8), byte(n)
		return i
	}
	entries := []pack.RawEntry{{ID: number(0), Kind: blob, Size: 4, Body: pack.Deflate(nil, []byte("base"))}}
	same := delta(4, 4, 0x90, 4)
	for n := 1; n <= pack.MaxDepth+1; n++ {
		entries = append(entries, against(number(n), number(n-1), same))
	}
	p := rawPack(t, entries, pack.WithCache(pack.NewCache(0)))
	_, err := p.Read(number(pack.MaxDepth+1), limit)
	require.ErrorContains(t, err, "it is a chain of more than 4095 deltas")
	_, _, err = p.Header(number(pack.MaxDepth + 1))
	require.ErrorContains(t, err, "it is a chain of more than 4095 deltas")
	o, err := p.Read(number(pack.MaxDepth), limit)
	require.NoError(t, err)
	require.Equal(t, "base", string(o.Data))
	kind, length, err := p.Header(number(pack.MaxDepth))
	require.NoError(t, err)
	require.Equal(t, object.KindBlob, kind)
	require.Equal(t, int64(4), length)
	require.ErrorContains(t, p.CheckDepth(), "it is a chain of more than 4095 deltas")
	slices.Reverse(entries)
	require.Error(t, rawPack(t, entries).CheckDepth())
	require.NoError(t, rawPack(t, entries[1:]).CheckDepth())
}

func TestCyclesOfDeltas(t *testing.T) {
	t.Parallel()
	same := delta(4, 4, 0x90, 4)
	p := rawPack(
		t, []pack.RawEntry{against(id(1), id(2), same), against(id(2), id(3), same), against(id(3), id(1), same)},
	)
	for n := range byte(3) {
		_, err := p.Read(id(n+1), limit)
		require.ErrorContains(t, err, "it is a chain of more than 4095 deltas")
		_, _, err = p.Header(id(n + 1))
		require.ErrorContains(t, err, "it is a chain of more than 4095 deltas")
	}
}

func TestBasesOfOtherPacks(t *testing.T) {
	t.Parallel()
	bases := func(wanted object.ID) (object.Object, error) {
		if wanted != id(9) {
			return object.Object{}, object.ErrNotFound
		}
		return object.Object{Kind: object.KindTag, Data: []byte("base")}, nil
	}
	p := rawPack(t, []pack.RawEntry{
		against(id(1), id(9), delta(4, 8, 0x90, 4, 4, 'm', 'o', 'r', 'e')),
		against(id(2), id(1), delta(8, 3, 0x91, 5, 3)[:4]),
		against(id(3), id(1), delta(8, 3, 0x91, 5, 3)),
		against(id(4), id(8), delta(4, 4, 0x90, 4)),
	}, pack.WithBases(bases))
	o, err := p.Read(id(3), limit)
	require.NoError(t, err)
	require.Equal(t, object.Object{Kind: object.KindTag, Data: []byte("ore")}, o)
	kind, length, err := p.Header(id(3))
	require.NoError(t, err)
	require.Equal(t, object.KindTag, kind)
	require.Equal(t, int64(3), length)
	_, err = p.Read(id(2), limit)
	require.ErrorContains(t, err, "the delta is malformed")
	_, err = p.Read(id(4), limit)
	require.ErrorIs(t, err, object.ErrNotFound)
	require.ErrorContains(t, err, "read the base of its delta")
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	for _, text := range []string{"a", "b", "c"} {
		store.Add(object.KindBlob, []byte(text))
	}
	path := writePack(t, store)
	data, err := os.ReadFile(path + ".pack")
	require.NoError(t, err)
	index, err := os.ReadFile(path + ".idx")
	require.NoError(t, err)
	change := func(bytes []byte, at int, to byte) []byte {
		changed := append([]byte{}, bytes...)
		changed[at] = to
		return changed
	}
	for name, c := range map[string]struct {
		data, index []byte
		want        string
	}{
		"empty index":        {data, nil, "it is not an index of version 2"},
		"index cut":          {data, index[:len(index)-9], "which is not the size of an index of 3 objects"},
		"index cut by 8":     {data, index[:len(index)-8], "which is not the size of an index of 3 objects"},
		"index of version 1": {data, change(index, 7, 1), "it is not an index of version 2"},
		"fanout":             {data, change(index, 8, 9), "its table of first bytes is not sorted"},
		"huge count": {
			data, change(index, 8+255*4, 0x7f), "which is not the size of an index of 2130706435 objects",
		},
		"other pack": {
			data, change(index, len(index)-30, index[len(index)-30]+1), "the index is for another pack",
		},
		"other count":       {change(data, 11, 4), index, "the index is for another pack"},
		"empty pack":        {nil, index, "the file is too short"},
		"pack cut":          {data[:len(data)-1], index, "the index is for another pack"},
		"pack of version 9": {change(data, 7, 9), index, "the file is not a pack of version 2"},
	} {
		files := writeFiles(t, c.data, c.index)
		_, err := pack.Open(files+".pack", files+".idx")
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, files+".pack", name)
	}
	_, err = pack.Open(path+".none", path+".idx")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = pack.Open(path+".pack", path+".none")
	require.ErrorIs(t, err, os.ErrNotExist)

	// Offsets that lead nowhere.
	for name, offset := range map[string]string{
		"beyond the end": "\x7f\xff\xff\xff", "in the header": "\x00\x00\x00\x03", "no wide one": "\x80\x00\x00\x00",
	} {
		changed := append([]byte{}, index...)
		copy(changed[len(changed)-40-3*4:], strings.Repeat(offset, 3))
		p := open(t, writeFiles(t, data, changed))
		for wanted := range store {
			_, err := p.Read(wanted, limit)
			require.Error(t, err, name)
		}
	}
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte("base"), delta(4, 8, 0x90, 4, 4, 'm', 'o', 'r', 'e'))
	f.Add([]byte("base"), delta(4, 4, 0x91, 0, 4))
	f.Add([]byte(strings.Repeat("base", 20_000)), delta(80_000, 0x10000, 0x80))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		result, err := pack.ApplyDelta(base, delta, 1<<20)
		if err == nil {
			require.LessOrEqual(t, len(result), 1<<20)
		}
	})
}

func FuzzPack(f *testing.F) {
	same := delta(4, 4, 0x90, 4)
	entries := []pack.RawEntry{
		{ID: id(1), Kind: blob, Size: 4, Body: pack.Deflate(nil, []byte("base"))}, against(id(2), id(1), same),
		{ID: id(3), Kind: offsetDelta, Base: []byte{30}, Size: int64(len(same)), Body: pack.Deflate(nil, same)},
	}
	data, index := pack.RawPack(func(offsets []int64) (pack.RawEntry, bool) {
		if len(offsets) == len(entries) {
			return pack.RawEntry{}, false
		}
		return entries[len(offsets)], true
	})
	f.Add(data, index)
	f.Fuzz(func(t *testing.T, data, index []byte) {
		p, err := pack.InMemory(data, index)
		if err != nil {
			return
		}
		for wanted := range p.IDs() {
			_, _ = p.Read(wanted, 1<<20)
			_, _, _ = p.Header(wanted)
		}
	})
}

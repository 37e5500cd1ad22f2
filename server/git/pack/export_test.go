package pack

import (
	"crypto/sha1"
	"encoding/binary"
	"os"

	"hew/server/git/object"
)

// ApplyDelta returns what a delta makes of its base.
func ApplyDelta(base, delta []byte, limit int64) ([]byte, error) {
	return applyDelta(base, delta, limit)
}

// MaxDepth is the number of deltas that a chain may have.
const MaxDepth = maxDepth

// A RawEntry is an entry as it is put into a pack that may be wrong.
type RawEntry struct {
	ID   object.ID
	Kind byte   // 6 and 7 are deltas
	Base []byte // what stands between the header and the body
	Size int64
	Body []byte // the zlib stream
}

// RawPack returns a pack of entries as they are, and its index. The offset of each entry is put
// into offsets, so that a Base can be made from those before it.
func RawPack(make func(offsets []int64) (RawEntry, bool)) (pack, index []byte) {
	pack = append(pack, packMagic+"\x00\x00\x00\x00"...)
	var offsets []int64
	var listed []indexEntry
	for e, ok := make(nil); ok; e, ok = make(offsets) {
		offset := int64(len(pack))
		offsets = append(offsets, offset)
		listed = append(listed, indexEntry{e.ID, 0, offset})
		pack = appendEntryHeader(pack, e.Kind, e.Size)
		pack = append(pack, e.Base...)
		pack = append(pack, e.Body...)
	}
	binary.BigEndian.PutUint32(pack[len(packMagic):], uint32(len(listed)))
	sum := sha1.Sum(pack)
	return append(pack, sum[:]...), encodeIndex(listed, sum, wideOffset)
}

// Unmapped has a pack read its file instead of the mapping, as on systems that cannot map.
func (p *Pack) Unmapped() error {
	file, err := os.Open(p.path)
	if err != nil {
		return err
	}
	if err := p.content.close(); err != nil {
		return err
	}
	p.content.mapped, p.content.file = nil, file
	return nil
}

// CacheSize returns the number of bytes in a cache.
func (c *Cache) CacheSize() int64 { return c.size }

// InMemory returns a pack that is not in files, and must not be closed.
func InMemory(data, index []byte) (*Pack, error) {
	inMemory := func(data []byte) *content { return &content{size: int64(len(data)), mapped: data} }
	return newPack("", inMemory(data), inMemory(index), nil)
}

package pack

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"hew/server/git/object"
)

// The layout of an index of version 2: a header, 256 counts of ids by their first byte, the sorted
// ids, their checksums and 32-bit offsets, 64-bit offsets for those that need one, and two sums.
const (
	indexMagic  = "\xfftOc\x00\x00\x00\x02"
	fanoutSize  = 256 * 4
	indexHeader = int64(len(indexMagic) + fanoutSize)
	sumSize     = sha1.Size
	wideOffset  = 1 << 31 // set in a 32-bit offset that is a number of a 64-bit one
)

// index finds the offsets of objects. It is whole in memory, or mapped.
type index struct {
	content *content
	data    []byte
	count   int
	wide    int // number of 64-bit offsets
}

// newIndex checks that the parts of an index are where they have to be.
func newIndex(c *content) (*index, error) {
	x := &index{content: c}
	var err error
	if x.data, err = c.bytesAt(0, int(c.size)); err != nil {
		return nil, err
	}
	return x, x.check()
}

func (x *index) check() error {
	size := int64(len(x.data))
	if size < indexHeader+2*sumSize || string(x.data[:len(indexMagic)]) != indexMagic {
		return fmt.Errorf("it is not an index of version 2")
	}
	last := 0
	for i := range 256 {
		n := x.fanout(byte(i))
		if n < last {
			return fmt.Errorf("its table of first bytes is not sorted")
		}
		last = n
	}
	x.count = last
	rest := size - indexHeader - 2*sumSize - int64(x.count)*(object.IDSize+4+4)
	if rest < 0 || rest%8 != 0 || rest/8 > int64(x.count) {
		return fmt.Errorf("it has %d bytes, which is not the size of an index of %d objects", size, x.count)
	}
	x.wide = int(rest / 8)
	return nil
}

// fanout returns the number of ids whose first byte is at most b.
func (x *index) fanout(b byte) int {
	return int(binary.BigEndian.Uint32(x.data[len(indexMagic)+4*int(b):]))
}

// packSum returns the sum at the end of the pack that the index is for.
func (x *index) packSum() []byte { return x.data[len(x.data)-2*sumSize:][:sumSize] }

func (x *index) id(i int) []byte {
	return x.data[indexHeader+int64(i)*object.IDSize:][:object.IDSize]
}

func (x *index) find(id object.ID) (offset int64, ok bool) {
	first := 0
	if id[0] > 0 {
		first = x.fanout(id[0] - 1)
	}
	n := x.fanout(id[0]) - first
	i := first + sort.Search(n, func(i int) bool { return bytes.Compare(x.id(first+i), id[:]) >= 0 })
	if i >= first+n || !bytes.Equal(x.id(i), id[:]) {
		return 0, false
	}
	return x.offset(i)
}

// offset returns the offset of an object by its place among the ids, and false if the index names
// none.
func (x *index) offset(i int) (int64, bool) {
	offsets := x.data[indexHeader+int64(x.count)*(object.IDSize+4):]
	short := binary.BigEndian.Uint32(offsets[4*i:])
	if short < wideOffset {
		return int64(short), true
	}
	n := int(short - wideOffset)
	if n >= x.wide {
		return 0, false
	}
	wide := binary.BigEndian.Uint64(offsets[4*x.count+8*n:])
	return int64(wide), wide < 1<<63
}

// An indexEntry is an object as an index lists it.
type indexEntry struct {
	id     object.ID
	crc    uint32
	offset int64
}

// encodeIndex returns the index of a pack that ends with sum. Offsets from wideFrom on are written
// with 64 bits.
func encodeIndex(entries []indexEntry, sum [sumSize]byte, wideFrom int64) []byte {
	slices.SortFunc(entries, func(a, b indexEntry) int { return a.id.Compare(b.id) })
	data := make([]byte, 0, int(indexHeader)+len(entries)*(object.IDSize+8)+2*sumSize)
	data = append(data, indexMagic...)
	n := 0
	for b := range 256 {
		for n < len(entries) && int(entries[n].id[0]) <= b {
			n++
		}
		data = binary.BigEndian.AppendUint32(data, uint32(n))
	}
	for _, e := range entries {
		data = append(data, e.id[:]...)
	}
	for _, e := range entries {
		data = binary.BigEndian.AppendUint32(data, e.crc)
	}
	var wide []byte
	for _, e := range entries {
		short := uint32(e.offset)
		if e.offset >= wideFrom {
			short = wideOffset + uint32(len(wide)/8)
			wide = binary.BigEndian.AppendUint64(wide, uint64(e.offset))
		}
		data = binary.BigEndian.AppendUint32(data, short)
	}
	data = append(data, wide...)
	data = append(data, sum[:]...)
	own := sha1.Sum(data)
	return append(data, own[:]...)
}

package pack

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"

	"hew/server/git/object"
)

// Loose is an object that is stored by itself.
type Loose struct {
	ID   object.ID
	Kind object.Kind
	Size int64  // of the content in bytes
	Body []byte // the content as Deflate returns it; valid until the next Loose
}

// Write writes a pack of count entries, without deltas. It returns the
// sum that the pack ends with, by which git names packs, and the index, of version 2. It trusts the
// entries: a wrong id, size or body makes a pack that git refuses.
func Write(w io.Writer, count int, entries iter.Seq2[Loose, error]) (name [20]byte, index []byte, err error) {
	hash := sha1.New()
	out := io.MultiWriter(w, hash)
	header := binary.BigEndian.AppendUint32([]byte(packMagic), uint32(count))
	if _, err := out.Write(header); err != nil {
		return name, nil, fmt.Errorf("write pack: %w", err)
	}
	offset := int64(len(header))
	listed := make([]indexEntry, 0, count)
	for e, err := range entries {
		if err != nil {
			return name, nil, err
		}
		if len(listed) == count {
			return name, nil, fmt.Errorf("write pack: there are more than %d objects", count)
		}
		header = appendEntryHeader(header[:0], byte(e.Kind), e.Size)
		crc := crc32.Update(crc32.ChecksumIEEE(header), crc32.IEEETable, e.Body)
		listed = append(listed, indexEntry{e.ID, crc, offset})
		for _, part := range [][]byte{header, e.Body} {
			if _, err := out.Write(part); err != nil {
				return name, nil, fmt.Errorf("write pack: %w", err)
			}
			offset += int64(len(part))
		}
	}
	if len(listed) < count {
		return name, nil, fmt.Errorf("write pack: there are %d objects instead of %d", len(listed), count)
	}
	hash.Sum(name[:0])
	if _, err := w.Write(name[:]); err != nil {
		return name, nil, fmt.Errorf("write pack: %w", err)
	}
	index = encodeIndex(listed, name, wideOffset)
	for i := 1; i < len(listed); i++ { // sorted by now
		if listed[i].id == listed[i-1].id {
			return name, nil, fmt.Errorf("write pack: object %s comes twice", listed[i].id)
		}
	}
	return name, index, nil
}

// appendEntryHeader appends the kind and the size of an entry.
func appendEntryHeader(dst []byte, kind byte, size int64) []byte {
	b := kind<<4 | byte(size&0x0f)
	for size >>= 4; size > 0; size >>= 7 {
		dst = append(dst, b|0x80)
		b = byte(size & 0x7f)
	}
	return append(dst, b)
}

package zipfile

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Sizes of the fixed parts of records, in bytes, and their signatures (APPNOTE.TXT 4.3).
const (
	headerSize    = 30
	listedSize    = 46
	endSize       = 22
	locatorSize   = 20
	end64Size     = 56
	maxEndComment = math.MaxUint16

	headerSignature  = "PK\x03\x04"
	listedSignature  = "PK\x01\x02"
	endSignature     = "PK\x05\x06"
	locatorSignature = "PK\x06\x07"
	end64Signature   = "PK\x06\x06"
)

// directory is where the list of entries is.
type directory struct {
	at, size int64
	base     int64 // what offsets in the list count from: bytes before the archive proper
	records  int
}

// u16, u32 and u64 decode the number at the start of a record's field.
var u16, u32, u64 = binary.LittleEndian.Uint16, binary.LittleEndian.Uint32, binary.LittleEndian.Uint64

// findDirectory reads the end of an archive.
func findDirectory(r io.ReaderAt, size int64) (directory, error) {
	tail := make([]byte, max(0, min(size, endSize+maxEndComment)))
	if err := readFull(r, tail, size-int64(len(tail))); err != nil {
		return directory{}, err
	}
	i := findEnd(tail)
	if i < 0 {
		return directory{}, fmt.Errorf("%w: it has no end record", ErrFormat)
	}
	end := tail[i:]
	at := size - int64(len(end))
	records, length, offset := uint64(u16(end[10:])), uint64(u32(end[12:])), uint64(u32(end[16:]))
	if records == math.MaxUint16 || length == math.MaxUint32 || offset == math.MaxUint32 {
		end64, at64, err := findEnd64(r, at)
		if err != nil {
			return directory{}, err
		}
		if end64 != nil {
			at, records, length, offset = at64, u64(end64[32:]), u64(end64[40:]), u64(end64[48:])
		}
	}
	if records > MaxEntries || length > MaxDirectory {
		return directory{}, ErrTooMany
	}
	d := directory{at: at - int64(length), size: int64(length), records: int(records)}
	if d.at < 0 || offset > uint64(d.at) {
		return directory{}, fmt.Errorf("%w: its directory is not where it should be", ErrFormat)
	}
	return d, d.locate(r, int64(offset))
}

// locate finds out what offsets count from. Between the directory and the end record there can be
// others, and before the archive a program: it is the latter if no directory is at the offset.
func (d *directory) locate(r io.ReaderAt, offset int64) error {
	if d.at == offset {
		return nil
	}
	signature := make([]byte, 4)
	if err := readFull(r, signature, offset); err != nil {
		return err
	}
	if string(signature) == listedSignature {
		d.at = offset
		return nil
	}
	d.base = d.at - offset
	return nil
}

// findEnd returns where the last end record with its whole comment begins, or -1.
func findEnd(tail []byte) int {
	for i := len(tail) - endSize; i >= 0; i-- {
		if string(tail[i:i+4]) == endSignature && int(u16(tail[i+20:])) <= len(tail)-i-endSize {
			return i
		}
	}
	return -1
}

// findEnd64 returns the end record of large archives and where it begins, which stands before the
// other end record; nil if there is none.
func findEnd64(r io.ReaderAt, end int64) (record []byte, at int64, err error) {
	if end < locatorSize+end64Size {
		return nil, 0, nil
	}
	locator := make([]byte, locatorSize)
	if err := readFull(r, locator, end-locatorSize); err != nil || string(locator[:4]) != locatorSignature {
		return nil, 0, err
	}
	offset := u64(locator[8:])
	if offset > uint64(end-locatorSize-end64Size) {
		return nil, 0, fmt.Errorf("%w: its end record is not where it should be", ErrFormat)
	}
	record = make([]byte, end64Size)
	if err := readFull(r, record, int64(offset)); err != nil {
		return nil, 0, err
	}
	if string(record[:4]) != end64Signature {
		return nil, 0, fmt.Errorf("%w: its end record is not where it should be", ErrFormat)
	}
	return record, int64(offset), nil
}

// read returns the entries of the directory.
func (d directory) read(r io.ReaderAt) ([]Entry, error) {
	from := bufio.NewReaderSize(io.NewSectionReader(r, d.at, d.size), 64<<10)
	entries := make([]Entry, 0, min(d.records, int(d.size/listedSize)))
	var fields []byte // the name and the extra field of an entry
	for range d.records {
		var record [listedSize]byte
		if _, err := io.ReadFull(from, record[:]); err != nil {
			return nil, truncated(err)
		}
		if string(record[:4]) != listedSignature {
			return nil, fmt.Errorf("%w: its directory has fewer entries than it says", ErrFormat)
		}
		name, extra := int(u16(record[28:])), int(u16(record[30:]))
		fields = slices.Grow(fields[:0], name+extra)[:name+extra]
		if _, err := io.ReadFull(from, fields); err != nil {
			return nil, truncated(err)
		}
		if _, err := from.Discard(int(u16(record[32:]))); err != nil {
			return nil, truncated(err)
		}
		e, err := decode(record[:], string(fields[:name]), fields[name:])
		if err != nil {
			return nil, err
		}
		e.at += d.base
		entries = append(entries, e)
	}
	return entries, nil
}

// decode returns the entry of a record of the directory.
func decode(record []byte, name string, extra []byte) (Entry, error) {
	header := zip.FileHeader{
		Name: name, CreatorVersion: u16(record[4:]), ExternalAttrs: u32(record[38:]),
	}
	e := Entry{
		Name: name, Mode: header.Mode(), method: u16(record[10:]), Sum: u32(record[16:]),
		encrypted: u16(record[8:])&1 != 0,
	}
	large := zip64(extra)
	for _, field := range []struct {
		to    *int64
		value uint32
	}{{&e.Size, u32(record[24:])}, {&e.Packed, u32(record[20:])}, {&e.at, u32(record[42:])}} {
		*field.to = int64(field.value)
		if field.value != math.MaxUint32 || large == nil {
			continue
		}
		if len(large) < 8 || u64(large) > math.MaxInt64/2 {
			return Entry{}, fmt.Errorf("%w: entry %.100q has no valid size", ErrFormat, name)
		}
		*field.to, large = int64(u64(large)), large[8:]
	}
	return e, nil
}

// zip64 returns the extra field with what does not fit into 32 bits; nil if there is none.
func zip64(extra []byte) []byte {
	for len(extra) >= 4 {
		id, size := u16(extra), int(u16(extra[2:]))
		if extra = extra[4:]; size > len(extra) {
			return nil
		}
		if id == 1 {
			return extra[:size:size]
		}
		extra = extra[size:]
	}
	return nil
}

// readFull reads as many bytes as p has; an archive that has fewer is invalid.
func readFull(r io.ReaderAt, p []byte, at int64) error {
	n, err := r.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	return truncated(err)
}

// truncated makes the end of the input an error of the archive.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut off", ErrFormat)
	}
	return err
}

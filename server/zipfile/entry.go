package zipfile

import (
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The methods by which entries are packed.
const (
	methodStore   = 0
	methodDeflate = 8
)

// Open returns a reader of an entry of the archive. Reading fails at the first byte beyond e.Size,
// before it if there are fewer, and at the end if the checksum differs.
func (a *Archive) Open(e Entry) (io.Reader, error) {
	if e.encrypted || e.method != methodStore && e.method != methodDeflate {
		return nil, ErrMethod
	}
	var header [headerSize]byte
	if err := readFull(a.from, header[:], e.at); err != nil {
		return nil, err
	}
	at := e.at + headerSize + int64(u16(header[26:])) + int64(u16(header[28:]))
	if string(header[:4]) != headerSignature || at > e.end-e.Packed {
		return nil, fmt.Errorf("%w: entry %.100q is not where it should be", ErrFormat, e.Name)
	}
	packed := io.NewSectionReader(a.from, at, e.Packed)
	r := &entryReader{name: e.Name, from: packed, left: e.Size, want: e.Sum}
	if e.method == methodDeflate {
		r.from = flate.NewReader(packed)
	}
	return r, nil
}

// entryReader counts and checks what an entry unpacks to.
type entryReader struct {
	name string
	from io.Reader
	left int64
	sum  uint32
	want uint32
}

// Read implements io.Reader.
func (r *entryReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if r.left == 0 {
		return 0, r.end()
	}
	n, err := r.from.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	r.sum = crc32.Update(r.sum, crc32.IEEETable, p[:n])
	if errors.Is(err, io.EOF) {
		if err = nil; r.left > 0 {
			err = fmt.Errorf("%w: entry %.100q is shorter than it says", ErrFormat, r.name)
		}
	}
	return n, r.describe(err)
}

// end returns io.EOF if the entry ends here and is what it should be.
func (r *entryReader) end() error {
	n, err := io.ReadFull(r.from, make([]byte, 1))
	switch {
	case n > 0:
		return fmt.Errorf("%w: entry %.100q is longer than it says", ErrFormat, r.name)
	case !errors.Is(err, io.EOF):
		return r.describe(err)
	case r.sum != r.want:
		return fmt.Errorf("%w: entry %.100q does not have its checksum", ErrFormat, r.name)
	}
	return io.EOF
}

// describe makes errors of the packed bytes errors of the archive. It does not wrap them: that the
// packed bytes end early does not mean that what they unpack to has ended.
func (r *entryReader) describe(err error) error {
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: entry %.100q is damaged: %v", ErrFormat, r.name, err)
	}
	return err
}

package zipfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// Archive is a zip archive whose directory has been read. It can be read by as many goroutines at
// once as the reader below.
type Archive struct {
	Entries []Entry // in the order of the directory

	from io.ReaderAt
}

// Entry is a file, a directory or a link in an archive.
type Entry struct {
	Name   string      // as in the archive: any bytes, any path
	Mode   fs.FileMode // type and permissions
	Size   int64       // bytes, unpacked, as the directory claims; reading more or fewer fails
	Packed int64       // bytes in the archive
	Sum    uint32      // CRC-32 of the content, as the directory claims; reading another fails

	at, end   int64 // where the local header begins, and what follows the entry
	method    uint16
	encrypted bool
}

// Open reads the directory of an archive of so many bytes. It fails if two entries share bytes, or
// if an entry reaches beyond the archive.
func Open(r io.ReaderAt, size int64) (*Archive, error) {
	d, err := findDirectory(r, size)
	if err != nil {
		return nil, err
	}
	entries, err := d.read(r)
	if err != nil {
		return nil, err
	}
	a := &Archive{Entries: entries, from: r}
	return a, a.bound(d.at)
}

// bound gives every entry its end, which is where the next one begins or, for the last, the
// directory.
func (a *Archive) bound(end int64) error {
	order := make([]int32, len(a.Entries))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(a.Entries[j].at, a.Entries[i].at) })
	for _, i := range order {
		e := &a.Entries[i]
		e.end = end
		if e.at < 0 || e.at > end-headerSize || e.Packed > end-headerSize-e.at {
			return fmt.Errorf("%w: entry %.100q overlaps with what follows it", ErrFormat, e.Name)
		}
		end = e.at
	}
	return nil
}

// Seeking returns a reader at any offset over one that seeks, for one goroutine.
func Seeking(r io.ReadSeeker) io.ReaderAt { return seekingReader{r} }

type seekingReader struct{ from io.ReadSeeker }

// ReadAt implements io.ReaderAt.
func (s seekingReader) ReadAt(p []byte, at int64) (int, error) {
	if _, err := s.from.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.from, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

package ci

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
)

// The limits of archives that jobs send. Beyond them an archive is refused.
const (
	maxArchiveEntries = 100_000
	maxEntryName      = 4096 // bytes
)

// A file that is more than maxRatio times as large as what is stored of it, and larger than
// plainSize, is a bomb: it is listed and never unpacked.
const (
	maxRatio  = 500
	plainSize = 64 << 20 // bytes
)

// Archive is the zip of a job's artifacts. Single files of it can be read. It is for one
// goroutine.
type Archive struct {
	// Entries are the files, by path. Directories, links and paths that lead out of the archive are
	// left out.
	Entries []ArchiveEntry

	from *blob.Reader
}

// ArchiveEntry is a file in an archive.
type ArchiveEntry struct {
	Path string // with slashes, relative, clean
	Size int64  // bytes, unpacked

	file *zip.File
}

// OpenArchive reads the list of files of an archive; the caller closes it. An artifact that is not
// a zip is an unprocessable fault.
func OpenArchive(ctx context.Context, st *db.Store, a Artifact) (*Archive, error) {
	from, err := a.Open(ctx, st)
	if err != nil {
		return nil, err
	}
	list, err := readArchive(from, a.Size)
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &Archive{Entries: list, from: from}, nil
}

// readArchive returns the files of a zip of so many bytes.
func readArchive(from io.ReadSeeker, size int64) ([]ArchiveEntry, error) {
	found, err := zip.NewReader(seekingReader{from}, size)
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrAlgorithm), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fault.Unprocessable("The archive is not a zip.").Because(err)
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, err
	case len(found.File) > maxArchiveEntries:
		return nil, fault.Unprocessable("The archive has more files than are allowed.")
	}
	list := make([]ArchiveEntry, 0, len(found.File))
	for _, f := range found.File {
		if isPlainFile(f) {
			list = append(list, ArchiveEntry{Path: f.Name, Size: int64(f.UncompressedSize64), file: f})
		}
	}
	slices.SortFunc(list, func(a, b ArchiveEntry) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// isPlainFile reports whether an entry is a file with a path that stays within the archive.
func isPlainFile(f *zip.File) bool {
	return f.Mode()&fs.ModeType == 0 && f.Name != "" && len(f.Name) <= maxEntryName &&
		!strings.HasPrefix(f.Name, "/") && !strings.Contains(f.Name, `\`) && !strings.HasSuffix(f.Name, "/") &&
		path.Clean(f.Name) == f.Name && f.Name != ".." && !strings.HasPrefix(f.Name, "../") &&
		int64(f.UncompressedSize64) >= 0
}

// Find returns the entry at a path; a not-found fault if there is none.
func (a *Archive) Find(name string) (ArchiveEntry, error) {
	at, ok := slices.BinarySearchFunc(a.Entries, name, func(e ArchiveEntry, name string) int {
		return strings.Compare(e.Path, name)
	})
	if !ok {
		return ArchiveEntry{}, fault.NotFound("")
	}
	return a.Entries[at], nil
}

// Read returns a reader of a file, for as long as the archive is open and no other file is read. A
// file that would swell too much is refused.
func (a *Archive) Read(e ArchiveEntry) (io.ReadCloser, error) {
	packed := int64(e.file.CompressedSize64)
	if e.Size > plainSize && e.Size/maxRatio > packed {
		return nil, fault.Unprocessable("The file is packed too tightly to be shown. Download the whole archive.")
	}
	return e.file.Open()
}

// Close implements io.Closer.
func (a *Archive) Close() error { return a.from.Close() }

// seekingReader makes a reader that seeks one that reads anywhere, for one goroutine.
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

package ci

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/zipfile"
)

// maxEntryName is how long the path of a file in an archive can be, in bytes.
const maxEntryName = 4096

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

	zip  *zipfile.Archive
	from *blob.Reader
}

// ArchiveEntry is a file in an archive.
type ArchiveEntry struct {
	Path string // with slashes, relative, clean
	Size int64  // bytes, unpacked

	zipped zipfile.Entry
}

// OpenArchive reads the list of files of an archive; the caller closes it. An artifact that is not
// a zip is an unprocessable fault.
func OpenArchive(ctx context.Context, st *db.Store, a Artifact) (*Archive, error) {
	from, err := a.Open(ctx, st)
	if err != nil {
		return nil, err
	}
	zip, err := zipfile.Open(zipfile.Seeking(from), a.Size)
	switch {
	case errors.Is(err, zipfile.ErrFormat):
		err = fault.Unprocessable("The archive is not a zip.").Because(err)
	case errors.Is(err, zipfile.ErrTooMany):
		err = fault.Unprocessable("The archive has more files than are allowed.").Because(err)
	}
	if err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return &Archive{Entries: plainFiles(zip), zip: zip, from: from}, nil
}

// plainFiles returns the files of a zip, by path.
func plainFiles(zip *zipfile.Archive) []ArchiveEntry {
	list := make([]ArchiveEntry, 0, len(zip.Entries))
	for _, e := range zip.Entries {
		if isPlainFile(e) {
			list = append(list, ArchiveEntry{Path: e.Name, Size: e.Size, zipped: e})
		}
	}
	slices.SortFunc(list, func(a, b ArchiveEntry) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// isPlainFile reports whether an entry is a file with a path that stays within the archive.
func isPlainFile(e zipfile.Entry) bool {
	return e.Mode.IsRegular() && e.Name != "" && len(e.Name) <= maxEntryName &&
		!strings.HasPrefix(e.Name, "/") && !strings.Contains(e.Name, `\`) && !strings.HasSuffix(e.Name, "/") &&
		path.Clean(e.Name) == e.Name && e.Name != ".." && !strings.HasPrefix(e.Name, "../")
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
func (a *Archive) Read(e ArchiveEntry) (io.Reader, error) {
	if e.Size > plainSize && e.Size/maxRatio > e.zipped.Packed {
		return nil, fault.Unprocessable("The file is packed too tightly to be shown. Download the whole archive.")
	}
	r, err := a.zip.Open(e.zipped)
	if zipfile.IsInvalid(err) {
		return nil, fault.Unprocessable("The file cannot be unpacked. Download the whole archive.").Because(err)
	}
	return r, err
}

// Close implements io.Closer.
func (a *Archive) Close() error { return a.from.Close() }

// Package zipfile reads zip archives that users send. It trusts nothing in them: the number of
// entries and the size of the directory have limits, entries that overlap are errors, and an entry
// that unpacks to more or fewer bytes than it claims, or to other bytes, fails when it is read.
//
// archive/zip has none of these limits: before a caller can look at anything, it allocates for as
// many entries as an archive claims or lists, which are gigabytes for an upload of some hundred
// megabytes.
//
// Memory is proportional to the directory, never to the content: names live as long as the archive.
// Errors of the archive wrap
// [ErrFormat], [ErrTooMany] or [ErrMethod] (see [IsInvalid]); all others are those of the reader
// below.
package zipfile

import "errors"

// The limits of archives.
const (
	MaxEntries   = 100_000
	MaxDirectory = 16 << 20 // bytes of the list of entries: 100 bytes for each name of MaxEntries
)

// The faults of archives.
var (
	ErrFormat  = errors.New("the archive is not a valid zip")
	ErrTooMany = errors.New("the archive has more entries than are allowed")
	ErrMethod  = errors.New("the entry is encrypted, or packed by a method that is not supported")
)

// IsInvalid reports whether an error is one of the archive, and not of the reader below.
func IsInvalid(err error) bool {
	return errors.Is(err, ErrFormat) || errors.Is(err, ErrTooMany) || errors.Is(err, ErrMethod)
}

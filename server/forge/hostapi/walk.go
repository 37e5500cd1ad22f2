package hostapi

import "fmt"

const (
	maxWalkPages = 2000
	maxWalkBytes = 128 << 20
)

// Walk bounds the reading of all pages of a list, which a host could make endless or too large. The
// zero value is before the first page.
type Walk struct {
	bytes int64
	seen  map[string]bool
}

// Add counts a page that was read from an address. Its error, a StatusError, says why no further
// page is to be read.
func (w *Walk) Add(address string, a Answer) error {
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	again := w.seen[address]
	w.seen[address] = true
	w.bytes += int64(len(a.Body))
	switch {
	case again:
		return &StatusError{Message: "the host names a next page that was read before"}
	case len(w.seen) > maxWalkPages:
		return &StatusError{Message: fmt.Sprintf("the list has more than %d pages", maxWalkPages)}
	case w.bytes > maxWalkBytes:
		return &StatusError{Message: fmt.Sprintf("the list is larger than %d MiB", maxWalkBytes>>20)}
	}
	return nil
}

package diff

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// ListLimits bound the list of files that a difference shows, as the public service bounds it (the
// application settings diff_max_files, diff_max_lines and diff_max_patch_bytes). All are required.
type ListLimits struct {
	Files, Lines int // the list ends before the file that is over one of them
	PatchBytes   int // a file with a larger patch is TooLarge
	Bytes        int // of all patches that are not TooLarge; the list ends as with Files
	// Soft limits, beyond which a file is Collapsed; 0: a tenth of those above
	SoftFiles, SoftLines, SoftPatchBytes, SoftBytes int
}

// bytesPerFile is how many bytes of patches a list has for each of its files.
const bytesPerFile = 5 << 10

// LimitsOf returns the limits that settings make: see ListLimits.
func LimitsOf(files, lines, patchBytes int) ListLimits {
	return ListLimits{
		Files: files, Lines: lines, PatchBytes: patchBytes, Bytes: files * bytesPerFile,
		SoftFiles: 100, SoftLines: 5000, SoftPatchBytes: patchBytes / 10, SoftBytes: 100 * bytesPerFile,
	}
}

// Listed is a file of a list. Its patch is there, of a binary file as the line that git prints,
// unless the file is TooLarge or out of the window; Collapsed says that a client should not show it
// at first.
type Listed struct {
	File
	Collapsed bool
}

// Overflow says which limit ended a list.
type Overflow string

// The limits. NoOverflow is that of a whole list.
const (
	NoOverflow    Overflow = ""
	FilesOverflow Overflow = "files"
	LinesOverflow Overflow = "lines"
	BytesOverflow Overflow = "bytes"
)

// List is a window of the files of a difference.
type List struct {
	Files    []Listed // of the window
	Total    int      // files of the list, which ends at a limit
	Real     int      // files that differ
	Lines    int      // that the patches of the list show
	Added    int      // lines, of all files of the list
	Deleted  int      // likewise
	Overflow Overflow
}

// Window is which files of a list have their patches kept: Limit of them after the first Offset.
type Window struct{ Offset, Limit int }

// errEnough ends the reading of patches.
var errEnough = errors.New("no more patches are needed")

// ReadList reads the output of git with Args up to the limits. It reads no more than it has to.
func ReadList(r io.Reader, limits ListLimits, window Window) (List, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	files, err := readRaw(in)
	if err != nil {
		return List{}, fmt.Errorf("read the changed files: %w", err)
	}
	l := lister{limits: limits, window: window, files: files, List: List{Real: len(files)}}
	p := patches{in: in, files: files, at: -1, each: l.add, limits: Limits{
		Files: len(files) + 1, PatchBytes: limits.PatchBytes, TotalBytes: maxListed,
	}}
	if err := p.read(); err != nil && !errors.Is(err, errEnough) {
		return List{}, fmt.Errorf("read the patches: %w", err)
	}
	return l.List, nil
}

// maxListed limits the bytes of patches that pass through a list: they are kept one by one.
const maxListed = 1 << 40

// lister makes a list of files whose patches are read one after the other.
type lister struct {
	List
	limits ListLimits
	window Window
	files  []File
	bytes  int // of the patches so far
}

// add takes the next file after its patch was read.
func (l *lister) add(f File, shown int) error {
	if l.Total == l.limits.Files {
		return l.end(FilesOverflow)
	}
	size := len(f.Patch)
	if f.TooLarge {
		shown = 0
	}
	switch {
	case l.Lines+shown > l.limits.Lines:
		return l.end(LinesOverflow)
	case l.bytes+size > l.limits.Bytes:
		return l.end(BytesOverflow)
	}
	l.Total++
	l.Lines, l.bytes = l.Lines+shown, l.bytes+size
	l.Added, l.Deleted = l.Added+f.Added, l.Deleted+f.Deleted
	if l.Total <= l.window.Offset || l.Total > l.window.Offset+l.window.Limit {
		return nil
	}
	listed := Listed{File: f}
	if !f.TooLarge && size > 0 {
		listed.Collapsed = size > l.limits.SoftPatchBytes || l.Total > l.limits.SoftFiles ||
			l.Lines > l.limits.SoftLines || l.bytes > l.limits.SoftBytes
	}
	l.Files = append(l.Files, listed)
	return nil
}

func (l *lister) end(why Overflow) error {
	l.Overflow = why
	return errEnough
}

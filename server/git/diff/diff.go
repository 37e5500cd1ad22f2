// Package diff reads what git says about the difference of two trees: the files, their patches, and
// how many lines they add and delete. It bounds what it keeps.
package diff

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"hew/server/git/object"
)

// Args are the arguments of git for the output that Read reads. The two trees or commits follow.
var Args = []string{
	"diff-tree", "-r", "-M", "--patch-with-raw", "-z", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv",
	"--end-of-options",
}

// NameArgs are those for the files alone, without patches.
var NameArgs = []string{"diff-tree", "-r", "-M", "--raw", "-z", "--full-index", "--end-of-options"}

// File is a file that differs.
type File struct {
	OldPath, NewPath string // equal, unless it was renamed
	OldMode, NewMode object.Mode
	OldID, NewID     object.ID
	Status           byte   // A added, D deleted, M modified, R renamed, C copied, T another type
	Patch            string // the hunks, from the first @@ on; empty for binary files and for those TooLarge
	Binary           bool
	TooLarge         bool // the patch is over a limit
	Added, Deleted   int  // lines; 0 if it is binary
}

// Limits bound what Read keeps. Zero values have the defaults in parentheses.
type Limits struct {
	Files      int // that have patches (1000)
	PatchBytes int // of one file (200 KiB)
	TotalBytes int // of all files (10 MiB)
}

func (l Limits) withDefaults() Limits {
	if l.Files == 0 {
		l.Files = 1000
	}
	if l.PatchBytes == 0 {
		l.PatchBytes = 200 << 10
	}
	if l.TotalBytes == 0 {
		l.TotalBytes = 10 << 20
	}
	return l
}

// ErrTooMany is the error, to be found by errors.Is, for a difference of more files than Read
// keeps.
var ErrTooMany = fmt.Errorf("more than %d files differ", maxFiles)

// maxFiles limits the files of one difference; a commit can touch any number.
const maxFiles = 100_000

// Read reads the output of git with Args. Patches over a limit are left out, and counted still.
func Read(r io.Reader, limits Limits) ([]File, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	files, err := readRaw(in)
	if err != nil {
		return nil, fmt.Errorf("read the changed files: %w", err)
	}
	p := patches{in: in, limits: limits.withDefaults(), files: files, at: -1}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("read the patches: %w", err)
	}
	return files, nil
}

// readRaw reads the records that come before the patches: :100644 100644 OLD NEW M NUL path NUL.
func readRaw(in *bufio.Reader) (files []File, err error) {
	for {
		first, err := in.Peek(1)
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if first[0] == 0 { // between the records and the patches
			_, err := in.Discard(1)
			return files, err
		}
		if first[0] != ':' {
			return files, nil
		}
		f, err := readRecord(in)
		if err != nil {
			return nil, err
		}
		if len(files) == maxFiles {
			return nil, ErrTooMany
		}
		files = append(files, f)
	}
}

func readRecord(in *bufio.Reader) (f File, err error) {
	line, err := readText(in)
	if err != nil {
		return f, err
	}
	fields := strings.Fields(strings.TrimPrefix(line, ":"))
	if len(fields) != 5 {
		return f, fmt.Errorf("%.100q is not a record of a changed file", line)
	}
	var errs [4]error
	f.OldMode, errs[0] = object.ParseMode(fields[0])
	f.NewMode, errs[1] = object.ParseMode(fields[1])
	f.OldID, errs[2] = object.ParseID(fields[2])
	f.NewID, errs[3] = object.ParseID(fields[3])
	if f.OldMode == 0 || fields[0] == "000000" {
		errs[0] = nil
	}
	if f.NewMode == 0 || fields[1] == "000000" {
		errs[1] = nil
	}
	if err := errors.Join(errs[:]...); err != nil {
		return f, err
	}
	f.Status = fields[4][0]
	if f.OldPath, err = readText(in); err != nil {
		return f, err
	}
	f.NewPath = f.OldPath
	if f.Status == 'R' || f.Status == 'C' {
		f.NewPath, err = readText(in)
	}
	return f, err
}

func readText(in *bufio.Reader) (string, error) {
	text, err := in.ReadString(0)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimSuffix(text, "\x00"), err
}

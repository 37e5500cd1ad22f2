package archive

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// Limits bound what an archive may unpack to.
type Limits struct {
	Size    int64 // bytes, headers and padding included; 0 is DefaultSize
	Entries int   // files and directories, and those that their names imply; 0 is DefaultEntries
}

// The limits of archives that are not said otherwise.
const (
	DefaultSize    = 25600 << 20
	DefaultEntries = 1_000_000
	maxName        = 4096 // bytes of a name, and of a part of it
	maxNamePart    = 255
	maxDepth       = 50 // directories that a name leads through
)

// Unpack writes the files of the archive that r reads into an existing directory, where files of
// an earlier attempt may stand. It makes files and directories only, with modes of its own; it
// leaves links and devices out. Faults of the archive are of type FormatError; one that ctx ends by
// its deadline is too large.
func Unpack(ctx context.Context, r io.Reader, dir string, l Limits) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if l.Size <= 0 {
		l.Size = DefaultSize
	}
	if l.Entries <= 0 {
		l.Entries = DefaultEntries
	}
	from := &source{ctx: ctx, r: r}
	u := unpacking{root: root, ctx: ctx, left: l.Size, entries: l.Entries}
	switch err := u.run(from); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ErrTooLarge
	case from.err != nil:
		return from.err
	default:
		return err
	}
}

// source is what an archive is read from. It tells the errors of reading from those of the format,
// and ends with its context.
type source struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		s.err = err
		return 0, err
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// counted reads what has been inflated, and fails past the limit.
type counted struct {
	r    io.Reader
	left int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

type unpacking struct {
	root    *os.Root
	ctx     context.Context
	left    int64 // bytes that files may still have; sparse ones have more than was inflated
	entries int
	last    string // the name of the entry before
}

func (u *unpacking) run(from io.Reader) error {
	zip, err := gzip.NewReader(from)
	if err != nil {
		return ErrNotTar
	}
	in := tar.NewReader(&counted{r: zip, left: u.left})
	for {
		header, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return formatError(err)
		}
		if err := u.add(header, in); err != nil {
			return err
		}
	}
}

// formatError returns what is wrong with an archive that could not be read.
func formatError(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return ErrTooLarge
	}
	return ErrNotTar
}

func (u *unpacking) add(header *tar.Header, content io.Reader) error {
	name, err := cleanName(header.Name)
	if err != nil {
		return err
	}
	if u.entries -= newParts(u.last, name); u.entries < 0 {
		return ErrTooLarge
	}
	u.last = name
	switch header.Typeflag {
	case tar.TypeDir:
		return u.refuse(name, u.root.MkdirAll(name, 0o700))
	case tar.TypeReg, tar.TypeGNUSparse:
		return u.addFile(name, content)
	case tar.TypeLink:
		return ErrHardLink
	}
	return nil
}

// newParts returns how many files and directories a name makes at most, after an entry with the
// name last: its parts after those that both begin with.
func newParts(last, name string) int {
	common := 0
	for i := range min(len(last), len(name)) {
		if last[i] != name[i] {
			break
		}
		if name[i] == '/' {
			common++
		}
	}
	return strings.Count(name, "/") + 1 - common
}

func (u *unpacking) addFile(name string, content io.Reader) error {
	if err := u.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return u.refuse(name, err)
	}
	f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return u.refuse(name, err)
	}
	defer f.Close()
	to := &written{w: f}
	n, err := io.Copy(to, io.LimitReader(content, u.left+1))
	u.left -= n
	switch {
	case to.err != nil:
		return to.err
	case err != nil:
		return formatError(err)
	case u.left < 0:
		return ErrTooLarge
	}
	return f.Close()
}

// written tells the errors of writing from those of reading.
type written struct {
	w   io.Writer
	err error
}

func (w *written) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.err = err
	return n, err
}

// refuse returns err, as a fault of the archive where a name is a file and a directory at once.
func (u *unpacking) refuse(name string, err error) error {
	for _, fault := range []error{syscall.ENOTDIR, syscall.EISDIR, fs.ErrExist, syscall.ELOOP} {
		if errors.Is(err, fault) {
			return invalidName(name)
		}
	}
	return err
}

func invalidName(name string) error {
	return FormatError(fmt.Sprintf("Invalid path %.200q in the archive", name))
}

// cleanName returns the name of an entry without "./" and the slash of directories, or a fault if
// it is absolute or leads out of the archive.
func cleanName(name string) (string, error) {
	if len(name) > maxName || strings.Count(name, "/") > maxDepth || strings.HasPrefix(name, "/") ||
		strings.ContainsAny(name, "\x00\\") {
		return "", invalidName(name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." || len(part) > maxNamePart {
			return "", invalidName(name)
		}
	}
	return path.Clean(name), nil
}

// Package file reads the files of a configuration so that every checkout of it gives the same
// result: names are relative to the configuration's directory, and line ends and byte order marks
// do not matter.
package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// MaxBytes is the size of the largest file that is read.
const MaxBytes = 10 << 20

// Dir is the directory of a configuration in a file system. File names are relative to it. They may
// lead out of it, to modules beside it, but not out of the file system, which is the
// configuration's repository. All methods fail for
// absolute names and for names outside the file system.
type Dir struct {
	FS   fs.FS
	Root string
}

// resolve returns the path of a name in FS.
func (d Dir) resolve(name string) (string, error) {
	full := path.Join(d.Root, name)
	if path.IsAbs(name) || !fs.ValidPath(full) {
		return "", fmt.Errorf("%s cannot be read: the path is absolute, or leads out of the git repository of the "+
			"configuration (without a repository, out of its directory). Use a path within, relative to the "+
			"configuration's directory", name)
	}
	return full, nil
}

// Read returns the bytes of a file.
func (d Dir) Read(name string) ([]byte, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(d.FS, full)
	return text, wrapError(name, err)
}

// wrapError adds the name of the file to an error, for the name that the file system knows.
func wrapError(name string, err error) error {
	var at *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &at):
		err = at.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}

// CheckRegular returns an error if info is not that of a regular file. Others need not end, or
// let a reader wait: devices, pipes, sockets.
func CheckRegular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("it is a directory, not a file")
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	}
	return nil
}

// ReadAll returns the content of an open regular file of at most MaxBytes. It counts bytes, because
// some files have more than their size says.
func ReadAll(f fs.File) ([]byte, error) {
	info, err := f.Stat()
	if err == nil {
		err = CheckRegular(info)
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err == nil && len(text) > MaxBytes {
		err = fmt.Errorf("it is larger than %d MiB, the limit for a file", MaxBytes>>20)
	}
	return text, err
}

// List returns the entries of a directory.
func (d Dir) List(name string) ([]fs.DirEntry, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(d.FS, full)
	return entries, wrapError(name, err)
}

// Stat returns the info of a file or directory.
func (d Dir) Stat(name string) (fs.FileInfo, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(d.FS, full)
	return info, wrapError(name, err)
}

// Sub returns a directory as a file system.
func (d Dir) Sub(name string) (fs.FS, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	return fs.Sub(d.FS, full)
}

// Normalize returns text without a byte order mark, and with \n for \r\n.
func Normalize(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

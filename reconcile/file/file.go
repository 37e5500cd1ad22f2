// Package file reads the files of a configuration so that every checkout of it gives the same
// result: names are relative to the configuration's directory, and line ends and byte order marks
// do not matter.
package file

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
)

// Dir is the directory of a configuration in a file system. File names are relative to it. They may
// lead out of it, to modules beside it, but not out of the file system. All methods fail for
// absolute names and for names outside the file system.
type Dir struct {
	FS   fs.FS
	Root string
}

// resolve returns the path of a name in FS.
func (d Dir) resolve(name string) (string, error) {
	full := path.Join(d.Root, name)
	if path.IsAbs(name) || !fs.ValidPath(full) {
		return "", fmt.Errorf("%s cannot be read: the path is absolute or leads out of the file tree that hew reads. "+
			"Use a path relative to the configuration's directory, so that it is the same in every checkout", name)
	}
	return full, nil
}

// Read returns the bytes of a file.
func (d Dir) Read(name string) ([]byte, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(d.FS, full)
}

// List returns the entries of a directory.
func (d Dir) List(name string) ([]fs.DirEntry, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(d.FS, full)
}

// Stat returns the info of a file or directory.
func (d Dir) Stat(name string) (fs.FileInfo, error) {
	full, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(d.FS, full)
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

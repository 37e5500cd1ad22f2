// Package file reads the files of a configuration: by names that lead to the
// same ones wherever it is checked out, and as texts that say the same there.
package file

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
)

// Dir is where a configuration lies in a file system. Names are relative to it
// and may lead out of it, to modules beside it, as far as the file system goes;
// any other name is an error, of whatever is asked about it.
type Dir struct {
	FS fs.FS
	At string
}

func (d Dir) within(name string) (string, error) {
	full := path.Join(d.At, name)
	if path.IsAbs(name) || !fs.ValidPath(full) {
		return "", fmt.Errorf("%s cannot be read: names of files are relative to the configuration's directory, so that a plan says the same wherever it is checked out", name)
	}
	return full, nil
}

// Read returns the bytes of a file.
func (d Dir) Read(name string) ([]byte, error) {
	full, err := d.within(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(d.FS, full)
}

// List returns what is in a directory.
func (d Dir) List(name string) ([]fs.DirEntry, error) {
	full, err := d.within(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadDir(d.FS, full)
}

// Stat tells what a name stands for.
func (d Dir) Stat(name string) (fs.FileInfo, error) {
	full, err := d.within(name)
	if err != nil {
		return nil, err
	}
	return fs.Stat(d.FS, full)
}

// Sub is a directory as a file system of its own.
func (d Dir) Sub(name string) (fs.FS, error) {
	full, err := d.within(name)
	if err != nil {
		return nil, err
	}
	return fs.Sub(d.FS, full)
}

// Plain is a text without what other systems put into it: a byte order mark,
// and line ends of two characters.
func Plain(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

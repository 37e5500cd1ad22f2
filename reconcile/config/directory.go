package config

import (
	"fmt"
	"io/fs"
	"path"
)

// directory is where a configuration lies in a file system. Names are relative
// to it and may lead out of it, to modules beside it, as far as the file system
// goes.
type directory struct {
	fs fs.FS
	at string
}

// within is the name in the file system.
func (d directory) within(name string) (string, error) {
	full := path.Join(d.at, name)
	if path.IsAbs(name) || !fs.ValidPath(full) {
		return "", fmt.Errorf("%s cannot be read: names of files are relative to the configuration's directory, so that a plan says the same wherever it is checked out", name)
	}
	return full, nil
}

func (d directory) read(name string) ([]byte, error) {
	full, err := d.within(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(d.fs, full)
}

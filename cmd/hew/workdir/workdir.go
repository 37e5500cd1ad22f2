// Package workdir is the directory that a run works in, on disk: where it is, what its files hold
// now or held at a commit, and how they are replaced without anybody seeing half of one.
package workdir

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is a directory as -chdir names it; "" is the current one.
type Dir string

// Path returns the path of a file that the user named. -chdir moves the whole run, and .. is
// relative to the directory that a link leads to.
func (d Dir) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir := string(d)
	if real, err := filepath.EvalSymlinks(dir); err == nil && !filepath.IsLocal(name) {
		dir = real
	}
	return filepath.Join(dir, name)
}

// Exists reports whether there is such a directory.
func (d Dir) Exists() bool {
	info, err := os.Stat(d.Path("."))
	return err == nil && info.IsDir()
}

// Overlay returns a file system in which some files of a directory have another content.
func Overlay(below fs.FS, dir string, contents map[string][]byte) fs.FS {
	if len(contents) == 0 {
		return below
	}
	o := overlay{below, map[string][]byte{}}
	for name, content := range contents {
		o.contents[filepath.ToSlash(filepath.Join(dir, name))] = content
	}
	return o
}

type overlay struct {
	fs.FS
	contents map[string][]byte
}

// ReadFile returns the content of a file, of the overlay first.
func (o overlay) ReadFile(name string) ([]byte, error) {
	if content, ok := o.contents[name]; ok {
		return content, nil
	}
	return fs.ReadFile(o.FS, name)
}

package workdir

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Output is a file that is written beside the one that it replaces. The old one stays as it is if
// nothing is written, or if a write fails.
type Output struct {
	file    *os.File
	path    string // of the file to replace; "" if file is a device or a pipe, which has no old content
	written bool
	dropped bool
	err     error
}

// temporary holds the names of the new files of outputs that are not closed yet.
var temporary sync.Map

// RemoveTemporary removes the new files of all outputs that are not closed yet. It is for a process
// that quits at once.
func RemoveTemporary() {
	for name := range temporary.Range {
		_ = os.Remove(name.(string)) // nothing can be done about it any more
	}
}

// Discard makes Close leave the old file as it is.
func (o *Output) Discard() { o.dropped = true }

// CreateOutput returns an output that replaces a file, or the target of a link. Its permissions
// stay.
func (d Dir) CreateOutput(name string) (*Output, error) {
	path := d.Path(name)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	if err == nil {
		old, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil || !info.Mode().IsRegular() {
			return &Output{file: old}, err
		}
		mode = info.Mode().Perm()
		if err := old.Close(); err != nil {
			return nil, err
		}
	}
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	temporary.Store(beside, nil)
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err == nil && info != nil {
		err = f.Chmod(mode) // which the umask may have narrowed
	}
	if f == nil {
		temporary.Delete(beside)
	}
	return &Output{file: f, path: path}, err
}

// WriteFile writes a whole file as an [Output] does: the old one stays if that fails.
func (d Dir) WriteFile(name string, content []byte) error {
	o, err := d.CreateOutput(name)
	if err != nil {
		return err
	}
	_, _ = o.Write(content) // Close returns the error
	return o.Close()
}

// Write writes to the new file.
func (o *Output) Write(p []byte) (int, error) {
	o.written = true
	n, err := o.file.Write(p)
	o.err = errors.Join(o.err, err)
	return n, err
}

// Close replaces the old file, or removes the new one if nothing was written, if a write failed or
// after Discard.
func (o *Output) Close() error {
	defer temporary.Delete(o.file.Name())
	err := errors.Join(o.err, o.file.Close())
	o.written = o.written && !o.dropped
	switch {
	case o.path == "":
		return err
	case err == nil && o.written:
		err = os.Rename(o.file.Name(), o.path)
	}
	if err != nil || !o.written {
		err = errors.Join(err, os.Remove(o.file.Name()))
	}
	return err
}

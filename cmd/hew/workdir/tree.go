package workdir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hew/reconcile/file"
)

// real returns the absolute path of the directory, with links resolved: .. leads to the parent of
// a link's target.
func (d Dir) real() (string, error) {
	dir, err := filepath.Abs(d.Path("."))
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// FS returns a tree that the directory is in, or its working tree if tree is "", as a file system,
// and the name of the directory there, so that modules beside the directory can be read. Nothing
// outside of the tree can be opened, whatever links lead there, nor git's own directory, whose
// configuration may hold a token. Files are regular ones, and read up to [file.MaxBytes].
func (d Dir) FS(tree Dir) (fs.FS, string, error) {
	dir, err := d.real()
	if err != nil {
		return nil, "", err
	}
	top, err := cmp.Or(tree, Dir(cmp.Or(workingTree(dir), dir))).real()
	if err != nil {
		return nil, "", err
	}
	name, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, "", err
	}
	return confined(top), filepath.ToSlash(name), nil
}

// confined is the file system of a directory, by its path, that no link leads out of.
type confined string

// Open opens a regular file or a directory.
func (c confined) Open(name string) (fs.File, error) {
	fail := func(err error) (fs.File, error) {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if !fs.ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	target, err := resolveWithin(string(c), name)
	if err != nil {
		return fail(err)
	}
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(target), "/"), isGitDirectory) {
		return fail(errors.New("it is git's own file, which can hold a token"))
	}
	root, err := os.OpenRoot(string(c))
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	// A pipe is never opened, since that waits for who writes to it.
	info, err := root.Stat(target)
	if err == nil && !info.IsDir() {
		err = file.CheckRegular(info)
	}
	if err != nil {
		return fail(err)
	}
	return root.Open(target)
}

// ReadFile returns the content of a regular file.
func (c confined) ReadFile(name string) ([]byte, error) {
	f, err := c.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return file.ReadAll(f)
}

func isGitDirectory(name string) bool { return strings.EqualFold(name, ".git") }

// ReadNamed returns the content of a file that the user named. It may be anywhere, but must be a
// regular file of at most [file.MaxBytes]. If it is named within the working tree, links do not
// lead out of that: another person may have committed the link.
func (d Dir) ReadNamed(name string) ([]byte, error) {
	dir, err := d.real()
	if err != nil {
		return nil, err
	}
	return readNamed(cmp.Or(workingTree(dir), dir), d.Path(name))
}

// readNamed is ReadNamed for the path of a file and the top of the working tree.
func readNamed(tree, path string) ([]byte, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	if name, err := filepath.Rel(tree, filepath.Join(dir, filepath.Base(path))); err == nil &&
		filepath.IsLocal(name) {
		return confined(tree).ReadFile(filepath.ToSlash(name))
	}
	info, err := os.Stat(path)
	if err == nil {
		err = file.CheckRegular(info)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return file.ReadAll(f)
}

// resolveWithin follows links from a name, with slashes, in a directory and returns the name of the
// target there. It fails if the target is outside; the error does not name the file.
func resolveWithin(dir, name string) (string, error) {
	top, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	target, err := filepath.Rel(top, real)
	if err != nil || !filepath.IsLocal(target) {
		return "", &outsideError{real, top}
	}
	return target, nil
}

// outsideError says that a link leads out of a directory.
type outsideError struct{ target, dir string }

// Error returns where the link leads, and what to do.
func (e *outsideError) Error() string {
	return fmt.Sprintf("it is a link to %s, outside of %s. Replace the link with a file", e.target, e.dir)
}

package workdir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
// configuration may hold a token, nor a ledger and its key; more of these may be added to private
// later. Files are regular ones, and read up to [file.MaxBytes].
func (d Dir) FS(tree Dir, private *Private) (fs.FS, string, error) {
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
	return confined{top, private}, filepath.ToSlash(name), nil
}

// confined is the file system of a directory, by its path, that no link leads out of.
type confined struct {
	top     string
	private *Private
}

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
	target, err := resolveWithin(c.top, name)
	if err != nil {
		return fail(err)
	}
	root, err := os.OpenRoot(c.top)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	// A pipe is never opened, since that waits for who writes to it.
	info, err := root.Stat(target)
	if err == nil && !info.IsDir() {
		err = file.CheckRegular(info)
	}
	if err == nil {
		err = c.private.checkPrivate(root, target, info)
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
		return confined{tree, &Private{}}.ReadFile(filepath.ToSlash(name))
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
		return "", &outsideError{top}
	}
	return target, nil
}

// outsideError says that a link leads out of a directory. Its text may be published, so it does not
// tell paths of this machine.
type outsideError struct{ dir string }

// Error returns that the link leads out, and what to do.
func (e *outsideError) Error() string {
	return fmt.Sprintf("it is a link that leads out of the %s. Replace the link with a file", treeNoun(e.dir))
}

// treeNoun returns what to call a directory that names must not lead out of.
func treeNoun(dir string) string {
	if workingTree(dir) == dir {
		return "repository"
	}
	return "directory"
}

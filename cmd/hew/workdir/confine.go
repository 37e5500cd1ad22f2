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
)

// CheckWithin returns an error if a file, which need not exist, is outside of the directory's
// working tree, or of the directory if it has none, or is git's own. Links are followed.
func (d Dir) CheckWithin(name string) error {
	dir, err := d.real()
	if err != nil {
		return err
	}
	top := cmp.Or(workingTree(dir), dir)
	path, err := filepath.Abs(d.Path(name))
	if err != nil {
		return err
	}
	real, missing, err := resolveExisting(path)
	if err != nil {
		return err
	}
	target, err := filepath.Rel(top, filepath.Join(real, missing))
	if err != nil || !filepath.IsLocal(target) {
		return fmt.Errorf("it leads out of the %s", treeNoun(top))
	}
	isGit := func(part string) bool { return strings.EqualFold(part, ".git") }
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(target), "/"), isGit) {
		return errors.New("it leads into git's own directory")
	}
	return nil
}

// resolveExisting follows the links of as much of a path as exists, and returns the rest as it is.
func resolveExisting(path string) (real, missing string, err error) {
	for {
		real, err = filepath.EvalSymlinks(path)
		if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
			return real, missing, err
		}
		if _, err := os.Lstat(path); err == nil {
			return "", "", errors.New("it is a link to a file that does not exist")
		}
		path, missing = filepath.Dir(path), filepath.Join(filepath.Base(path), missing)
	}
}

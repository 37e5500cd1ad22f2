package cli

import (
	"os"
	"path/filepath"
	"strings"
)

// within is a directory as others name it who look at the repository that it is
// in, "" for its top or where there is none: in a CI job the project's, else the
// one of git.
func (a *app) within(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for _, root := range []string{a.env["CI_PROJECT_DIR"], repository(dir)} {
		if root == "" {
			continue
		}
		if rel, err := filepath.Rel(root, dir); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			if rel == "." {
				return ""
			}
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// repository is the top of the working tree of git that a directory is in, ""
// for none.
func repository(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

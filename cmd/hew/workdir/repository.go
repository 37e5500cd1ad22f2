package workdir

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// InRepository returns the path of the directory in its repository, with slashes: below one of the
// checkouts, the directories in which CI jobs check out, or below the top of the git working tree.
// It is "." at the top, and "" outside of any repository.
func (d Dir) InRepository(checkouts ...string) string {
	dir, err := filepath.Abs(d.Path("."))
	if err != nil {
		return ""
	}
	for _, root := range append(slices.Clone(checkouts), workingTree(dir)) {
		if root == "" {
			continue
		}
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// workingTree returns the top of the git working tree that a directory is in, or "".
func workingTree(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// Checkout writes the files of a commit into an empty directory and returns the top of their tree
// and the place of d in it. It uses an index of its own, so the repository does not change.
func (d Dir) Checkout(ctx context.Context, ref, into string) (tree, at Dir, err error) {
	dir := d.Path(".")
	top, err := runGit(ctx, dir, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return "", "", fmt.Errorf("the directory is not in a git repository that can be read: %w", err)
	}
	root, prefix, _ := strings.Cut(top, "\n")
	commit, err := runGit(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return "", "", errors.New("this repository has no such commit; in a shallow clone, fetch it first (git fetch " +
			"origin REF, or a greater depth)")
	}
	index := append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(into, "index"))
	if _, err := runGit(ctx, root, index, "read-tree", commit); err != nil {
		return "", "", err
	}
	files := filepath.Join(into, "tree")
	if _, err := runGit(ctx, root, index, "checkout-index", "--all",
		"--prefix="+files+string(filepath.Separator)); err != nil {
		return "", "", err
	}
	place := filepath.Join(files, filepath.FromSlash(prefix))
	if _, err := os.Stat(place); err != nil {
		return "", "", fmt.Errorf("that commit has no directory %s", cmp.Or(prefix, "."))
	}
	return Dir(files), Dir(place), nil
}

// ReadNamedAt is ReadNamed for d as a commit has it: place is where d is in the checkout of the
// commit, whose top is tree. A file that the commit does not have is the one on disk.
func (d Dir) ReadNamedAt(tree, place Dir, name string) ([]byte, error) {
	here, err := d.real()
	if err != nil {
		return nil, err
	}
	path := d.Path(name)
	dir, err := Dir(filepath.Dir(path)).real()
	if err != nil {
		return nil, err
	}
	from, err := filepath.Rel(here, filepath.Join(dir, filepath.Base(path)))
	if err != nil {
		return nil, err
	}
	top, err := tree.real()
	if err != nil {
		return nil, err
	}
	if within, err := filepath.Rel(string(tree), filepath.Join(string(place), from)); err == nil &&
		filepath.IsLocal(within) {
		then := filepath.Join(top, within)
		if _, err := os.Lstat(then); err == nil {
			return readNamed(top, then)
		}
	}
	return d.ReadNamed(name)
}

// runGit runs git and returns its standard output without the last line break, or its error output
// as the error.
func runGit(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &errs
	if err := cmd.Run(); err != nil {
		if said := strings.TrimSpace(errs.String()); said != "" {
			err = errors.New(said)
		}
		return "", err
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

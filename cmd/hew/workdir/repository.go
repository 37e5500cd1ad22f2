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

// Checkout writes the files of a commit into an empty directory and returns the place of d among
// them. It uses an index of its own, so the repository does not change.
func (d Dir) Checkout(ctx context.Context, ref, into string) (Dir, error) {
	dir := d.Path(".")
	top, err := runGit(ctx, dir, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return "", fmt.Errorf("the directory is not in a git repository that can be read: %w", err)
	}
	root, prefix, _ := strings.Cut(top, "\n")
	commit, err := runGit(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return "", errors.New("this repository has no such commit; in a shallow clone, fetch it first (git fetch " +
			"origin REF, or a greater depth)")
	}
	index := append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(into, "index"))
	if _, err := runGit(ctx, root, index, "read-tree", commit); err != nil {
		return "", err
	}
	tree := filepath.Join(into, "tree")
	if _, err := runGit(ctx, root, index, "checkout-index", "--all",
		"--prefix="+tree+string(filepath.Separator)); err != nil {
		return "", err
	}
	at := filepath.Join(tree, filepath.FromSlash(prefix))
	if _, err := os.Stat(at); err != nil {
		return "", fmt.Errorf("that commit has no directory %s", cmp.Or(prefix, "."))
	}
	return Dir(at), nil
}

// ReadAt reads a file of the checkout of a commit if the file is in the repository and was there
// then, and the file on disk otherwise.
func (d Dir) ReadAt(checkout Dir, path string) ([]byte, error) {
	here, err := filepath.Abs(d.Path("."))
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return nil, err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	if from, err := filepath.Rel(here, filepath.Join(dir, filepath.Base(path))); err == nil {
		if content, err := os.ReadFile(filepath.Join(string(checkout), from)); err == nil {
			return content, nil
		}
	}
	return os.ReadFile(path)
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

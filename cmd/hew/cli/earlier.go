package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
)

// earlier reads the configuration of this directory as it is at a commit. What
// is wrong with it is told with the commit's name.
func (a *app) earlier(ctx context.Context, s settings) (*config.Config, report.Diagnostics) {
	wrong := func(summary, detail string, args ...any) (*config.Config, report.Diagnostics) {
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{problem(summary, detail, args...)}}
	}
	if err := a.ledgerless(s); err != nil {
		return wrong("Both -base and a ledger", "%s.", err)
	}
	tmp, err := os.MkdirTemp("", "hew-base-")
	if err != nil {
		return wrong("Earlier configuration cannot be read", "%s.", err)
	}
	defer os.RemoveAll(tmp) // all of it is in memory by then
	at, err := a.checkout(ctx, s.base, tmp)
	if err != nil {
		return wrong("Earlier configuration cannot be read", "-base=%s: %s.", s.base, err)
	}
	s.instead = nil // the commit has its own files
	then, flags := *a, *a
	then.dir = at
	flags.variables = func(path string) ([]byte, error) { return a.asOf(path, at) }
	cfg, found := then.readIn(s, &flags)
	if found.HasErrors() {
		found = found.ErrorsAt(s.base)
		found.Diagnostics = append(found.Diagnostics, problem("Earlier configuration has errors",
			"The configuration at -base=%s cannot be evaluated, so nothing tells what was applied. Its errors are told with their places there; name a commit that was applied.", s.base))
		return nil, found
	}
	return cfg, report.Diagnostics{}
}

// asOf reads a file of variables as it is in the commit, where it is in the
// repository and was there then.
func (a *app) asOf(path, at string) ([]byte, error) {
	here, err := filepath.Abs(a.path("."))
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
		if content, err := os.ReadFile(filepath.Join(at, from)); err == nil {
			return content, nil
		}
	}
	return os.ReadFile(path)
}

// ledgerless refuses a base where a ledger knows better.
func (a *app) ledgerless(s settings) error {
	if s.ledger == "none" {
		return nil
	}
	cfg, found := a.read(s)
	if found.HasErrors() {
		return nil // which is told by others
	}
	_, err := os.Stat(a.path(filepath.FromSlash(ledger.DefaultPath)))
	if cfg.Hew().Ledger == nil && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return errors.New("this configuration has a ledger, which knows what was applied; leave -base out, or pass -ledger=none as well")
}

// checkout writes the files of the commit into a directory, and returns where
// among them this run's directory is. The repository is not touched: the index
// is one of its own.
func (a *app) checkout(ctx context.Context, ref, into string) (string, error) {
	dir := a.path(".")
	top, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return "", fmt.Errorf("this directory is in no git repository that can be read: %w", err)
	}
	root, prefix, _ := strings.Cut(top, "\n")
	commit, err := git(ctx, dir, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if err != nil {
		return "", errors.New("there is no such commit here; in a shallow clone, fetch it first (git fetch origin REF, or a greater depth)")
	}
	index := append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(into, "index"))
	if _, err := git(ctx, root, index, "read-tree", commit); err != nil {
		return "", err
	}
	tree := filepath.Join(into, "tree")
	if _, err := git(ctx, root, index, "checkout-index", "--all", "--prefix="+tree+string(filepath.Separator)); err != nil {
		return "", err
	}
	at := filepath.Join(tree, filepath.FromSlash(prefix))
	if _, err := os.Stat(at); err != nil {
		return "", fmt.Errorf("the directory %s is not there in that commit", cmp.Or(prefix, "."))
	}
	return at, nil
}

// git runs git and returns what it prints, without the last line break.
func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
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

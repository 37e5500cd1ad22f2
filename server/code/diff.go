package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/exec"
	"hew/server/git/object"
)

// readTimeout limits a git process that a request of the API waits for.
const readTimeout = 50 * time.Second

// run has git read from the copy of the repository, which it brings up to date first. read gets
// what git writes, as it is written.
func (g *Git) run(ctx context.Context, command exec.Command, read func(io.Reader) error) error {
	if g.storage.git == nil {
		return errNoGit
	}
	c, err := g.lend(ctx)
	if err != nil {
		return err
	}
	defer c.giveBack()
	own, end, err := g.ownObjects(ctx, c)
	if err != nil {
		return err
	}
	defer end()
	command.Env = append(command.Env, own...)
	if command.Timeout == 0 {
		command.Timeout = readTimeout
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, in := io.Pipe()
	command.Dir, command.Stdout = c.dir, in
	done := make(chan error, 1)
	go func() {
		err := g.storage.git.Run(ctx, command)
		done <- err
		_ = in.CloseWithError(err) // or io.EOF; never fails
	}()
	err = read(out)
	_ = out.CloseWithError(errors.New("no more is read")) // never fails
	if err != nil {
		cancel()
	}
	if ran := <-done; err == nil { // an error of read is git's own, or has ended git
		err = ran
	}
	return err
}

// Diff returns how the files of two commits or trees differ, with renames. A difference of too many
// files is a fault.
func (g *Git) Diff(ctx context.Context, from, to object.ID, limits diff.Limits) ([]diff.File, error) {
	return g.diffIn(ctx, nil, from, to, limits)
}

// diffIn is Diff with further variables for git.
func (g *Git) diffIn(
	ctx context.Context, env []string, from, to object.ID, limits diff.Limits,
) (files []diff.File, err error) {
	command := exec.Command{Args: append(append([]string{}, diff.Args...), from.String(), to.String()), Env: env}
	err = g.run(ctx, command, func(r io.Reader) error {
		files, err = diff.Read(r, limits)
		return err
	})
	if errors.Is(err, diff.ErrTooMany) {
		err = fault.BadRequest("The difference is too large: " + diff.ErrTooMany.Error() + "; compare smaller ranges")
	}
	return files, err
}

// CommitDiff returns how the files of a commit differ from those of its first parent.
func (g *Git) CommitDiff(ctx context.Context, c Commit, limits diff.Limits) ([]diff.File, error) {
	before := object.EmptyTree
	if len(c.Parents) > 0 {
		before = c.Parents[0]
	}
	return g.Diff(ctx, before, c.ID, limits)
}

// Stats are the lines that a commit adds and deletes.
type Stats struct{ Added, Deleted int }

// StatsOf returns the stats of commits, against their first parents. One process counts them all.
func (g *Git) StatsOf(ctx context.Context, commits []Commit) (map[object.ID]Stats, error) {
	stats := make(map[object.ID]Stats, len(commits))
	if len(commits) == 0 {
		return stats, nil
	}
	var parents []object.ID
	for _, c := range commits {
		if len(c.Parents) > 0 {
			parents = append(parents, c.Parents[0])
		}
	}
	rows, err := g.Commits(ctx, parents)
	if err != nil {
		return nil, err
	}
	trees := make(map[object.ID]object.ID, len(rows))
	for _, p := range rows {
		trees[p.ID] = p.Tree
	}
	var pairs strings.Builder
	at := make([]object.ID, 0, len(commits))
	for _, c := range commits {
		before := object.EmptyTree
		if len(c.Parents) > 0 {
			before = trees[c.Parents[0]]
		}
		fmt.Fprintf(&pairs, "%s %s\n", before, c.Tree)
		at = append(at, c.ID)
	}
	command := exec.Command{
		Args:  []string{"diff-tree", "-r", "--numstat", "--stdin", "--no-renames"},
		Stdin: strings.NewReader(pairs.String()),
	}
	return stats, g.run(ctx, command, func(r io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(r, 64<<20))
		if err != nil {
			return err
		}
		readNumstat(text, at, stats)
		return nil
	})
}

// readNumstat reads the lines "added TAB deleted TAB path" that follow a line with two trees.
func readNumstat(text []byte, at []object.ID, stats map[object.ID]Stats) {
	i := -1
	for line := range bytes.Lines(text) {
		fields := bytes.SplitN(line, []byte("\t"), 3)
		if len(fields) < 3 {
			i++
			continue
		}
		if i < 0 || i >= len(at) {
			return
		}
		var s Stats
		_, _ = fmt.Sscan(string(fields[0]), &s.Added)   // "-" for a binary file
		_, _ = fmt.Sscan(string(fields[1]), &s.Deleted) // likewise
		sum := stats[at[i]]
		stats[at[i]] = Stats{sum.Added + s.Added, sum.Deleted + s.Deleted}
	}
}

// Comparison is the difference of two revisions.
type Comparison struct {
	From, To Commit
	Commits  []Commit // that To has and From has not, oldest first
	Files    []diff.File
}

// maxCompared limits the commits of a comparison.
const maxCompared = 1000

// Compare returns what is between two revisions: from their merge base on or, if straight, from the
// first of them on.
func (g *Git) Compare(
	ctx context.Context, from, to string, straight bool, limits diff.Limits,
) (c Comparison, err error) {
	if c.From, err = g.findRevision(ctx, from); err != nil {
		return c, err
	}
	if c.To, err = g.findRevision(ctx, to); err != nil {
		return c, err
	}
	base := c.From.ID
	if !straight {
		base, err = g.MergeBase(ctx, []object.ID{c.From.ID, c.To.ID})
		if fault.CodeOf(err) == fault.CodeNotFound {
			return c, nil // nothing in common: nothing is compared
		}
		if err != nil {
			return c, err
		}
	}
	f := LogFilter{From: []object.ID{c.To.ID}, Not: []object.ID{c.From.ID}, Limit: maxCompared}
	if c.Commits, err = g.oldestFirst(ctx, f); err != nil {
		return c, err
	}
	c.Files, err = g.Diff(ctx, base, c.To.ID, limits)
	return c, err
}

func (g *Git) oldestFirst(ctx context.Context, f LogFilter) ([]Commit, error) {
	commits, err := g.Log(ctx, f)
	slices.Reverse(commits)
	return commits, err
}

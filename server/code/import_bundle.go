package code

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/setting"
	"hew/server/tree"
)

// NewBundle is a git bundle that is to become a repository that is empty so far.
type NewBundle struct {
	At            Place
	Content       io.Reader
	DefaultBranch string // the branch that is wanted, if there is one of that name; "": the one of HEAD
	// End is called in the transaction that stores the refs.
	End func(context.Context, *db.Store) error
}

const (
	maxBundleLine = 8 << 10
	maxBundleRefs = 500_000
	maxIIDDigits  = 9 // of a merge request, so that it is a number of the schema
)

// ImportBundle stores the branches and tags of a bundle, and the hidden refs of merge requests and
// of commits that are kept; of one for a snippet it stores the branch of the files, which are
// checked as those of a push are. What git finds wrong with its objects is a bad-request fault.
// Like any import it breaks no rules, and raises no events but that of snippets. The store must be
// bound to the pool.
func ImportBundle(ctx context.Context, st *db.Store, b NewBundle) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	content := bufio.NewReaderSize(b.Content, 64<<10)
	push, heads, err := readBundle(content)
	if err != nil {
		return bundleFault(err)
	}
	if b.At.Kind == Snippet {
		push = snippetRefs(push, heads)
	}
	if len(push.Commands) == 0 {
		return st.Tx(ctx, func(st *db.Store) error { return b.End(ctx, st) })
	}
	if b.DefaultBranch != "" {
		heads = append([]string{b.DefaultBranch}, heads...)
	}
	pack := &sizedPack{from: content, left: math.MaxInt64}
	if limit := settings.RepositorySizeLimit; limit > 0 {
		pack.left = limit
		pack.text = fmt.Sprintf("the repository is larger than %d bytes, the limit of the setting "+
			"repository_size_limit", limit)
	}
	r := &reception{
		st: st, at: b.At, push: push, pack: pack, answer: &answer{out: io.Discard},
		apply: importing{heads: heads, end: b.End}.apply,
	}
	_, err = r.run(ctx)
	return bundleFault(err)
}

// bundleFault returns the fault of a bundle that cannot be stored. Other errors stay as they are.
func bundleFault(err error) error {
	var bad badPack
	var moved notAtomic
	var refused Refused
	switch {
	case errors.As(err, &bad):
		return fault.BadRequest("the bundle cannot be stored: " + bad.Error()).In(fault.Text)
	case errors.As(err, &moved):
		return fault.BadRequest("the bundle cannot be stored: " + moved.Error()).In(fault.Text)
	case errors.As(err, &refused):
		text := strings.Replace(refused.Text, "Your push to this repository", "The import", 1)
		return fault.BadRequest(text).In(fault.Text)
	}
	return err
}

// readBundle reads a bundle up to its pack. It returns the refs that are stored, and the branches
// that HEAD may be.
func readBundle(from *bufio.Reader) (push pkt.Push, heads []string, err error) {
	push.Capabilities = pkt.Capabilities{"atomic"}
	line, err := readBundleLine(from)
	switch {
	case err != nil:
		return push, nil, err
	case strings.HasPrefix(line, "version https://git-lfs.github.com/spec/"):
		return push, nil, badPack("the file is a pointer of Git LFS; the archive was made without its content")
	case line != "# v2 git bundle" && line != "# v3 git bundle":
		return push, nil, badPack("the file is not a git bundle")
	}
	var head object.ID
	seen := map[string]bool{}
	for range maxBundleRefs {
		line, err := readBundleLine(from)
		if err != nil {
			return push, nil, err
		}
		switch {
		case line == "":
			return push, headsOf(push, head), nil
		case strings.HasPrefix(line, "@"):
			if line != "@object-format=sha1" {
				return push, nil, badPack(fmt.Sprintf("the bundle needs %q, which is not supported", line[1:]))
			}
			continue
		case strings.HasPrefix(line, "-"):
			return push, nil, badPack("the bundle is not complete: it needs commits of another repository")
		}
		hex, name, _ := strings.Cut(line, " ")
		id, err := object.ParseID(hex)
		if err != nil || id.IsZero() {
			return push, nil, badPack(fmt.Sprintf("the bundle has a ref with an id that is not valid: %.100q", line))
		}
		if name == "HEAD" {
			head = id
		}
		if isImported(name) && !seen[name] {
			seen[name] = true
			push.Commands = append(push.Commands, pkt.Command{Ref: name, New: id})
		}
	}
	return push, nil, badPack(fmt.Sprintf("the bundle has more than %d refs", maxBundleRefs))
}

// isImported reports whether a ref of a bundle is stored: others, such as those of pipelines, mean
// nothing elsewhere.
func isImported(name string) bool {
	if kind, short := kindOf(name); kind != "" {
		return catalogue.IsBranchName(short)
	}
	if short, ok := strings.CutPrefix(name, KeepAround); ok {
		_, err := object.ParseID(short)
		return err == nil
	}
	iid, ok := strings.CutPrefix(name, MergeRequests)
	iid, isHead := strings.CutSuffix(iid, "/head")
	return ok && isHead && iid != "" && len(iid) <= maxIIDDigits && strings.Trim(iid, "0123456789") == ""
}

// headsOf returns the branches with the id of HEAD.
func headsOf(push pkt.Push, head object.ID) (list []string) {
	for _, c := range push.Commands {
		if name, ok := strings.CutPrefix(c.Ref, Heads); ok && c.New == head {
			list = append(list, name)
		}
	}
	return list
}

// readBundleLine reads a line of the head of a bundle, without its line feed.
func readBundleLine(from *bufio.Reader) (string, error) {
	line, err := from.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(line) > maxBundleLine:
		return "", badPack("the bundle has a line that is too long")
	case errors.Is(err, io.EOF):
		return "", badPack("the bundle ends early")
	case err != nil:
		return "", err
	}
	return strings.TrimSuffix(string(line), "\n"), nil
}

// RestoreBranches makes branches, given by their full names, that do not exist, for an import: by
// no rules and without events. Where another ref is in the way, or the repository lacks the commit,
// the branch is left out.
func RestoreBranches(ctx context.Context, st *db.Store, p tree.Project, branches map[string]object.ID) error {
	if len(branches) == 0 {
		return nil
	}
	return st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p)
		if err != nil {
			return err
		}
		var ids []object.ID
		for _, id := range branches {
			ids = append(ids, id)
		}
		commits, err := g.Commits(ctx, ids)
		if err != nil {
			return err
		}
		has := map[object.ID]bool{}
		for _, c := range commits {
			has[c.ID] = true
		}
		var c change
		for _, name := range slices.Sorted(maps.Keys(branches)) {
			if id := branches[name]; has[id] && strings.HasPrefix(name, Heads) {
				c.Updates = append(c.Updates, Update{Ref: name, New: id, commit: id})
			}
		}
		_, err = g.swapAll(ctx, c)
		return err
	})
}

package tree

import (
	"context"
	"fmt"
	"iter"

	"hew/server/git/object"
)

// Change is a file, symbolic link or submodule that differs between two trees. Mode is zero on the
// side where it does not exist.
type Change struct {
	Path     string
	Old, New object.Entry
}

// Diff lists what differs between two root trees, in the order of git diff-tree -r and without
// looking for renames. The zero id is an empty tree. Directories that are the same on both sides
// are not read.
func Diff(ctx context.Context, src object.Source, before, after object.ID) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		d := differ{ctx: ctx, src: src, yield: yield}
		d.diff(before, after, "")
	}
}

type differ struct {
	ctx   context.Context
	src   object.Source
	yield func(Change, error) bool
	depth int
}

// diff yields what differs between two trees. It reports whether to go on.
func (d *differ) diff(before, after object.ID, prefix string) bool {
	if before == after {
		return true
	}
	if d.depth++; d.depth > object.MaxDepth {
		d.yield(Change{}, tooDeep(prefix))
		return false
	}
	defer func() { d.depth-- }()
	olds, err := readTree(d.ctx, d.src, before)
	news := object.Tree(nil)
	if err == nil {
		news, err = readTree(d.ctx, d.src, after)
	}
	if err != nil {
		d.yield(Change{}, fmt.Errorf("compare %q: %w", prefix, err))
		return false
	}
	for len(olds) > 0 || len(news) > 0 {
		var was, is object.Entry
		switch compareFirst(olds, news) {
		case -1:
			was, olds = olds[0], olds[1:]
		case 1:
			is, news = news[0], news[1:]
		default:
			was, olds = olds[0], olds[1:]
			is, news = news[0], news[1:]
		}
		if was != is && !d.entry(was, is, prefix) {
			return false
		}
	}
	return true
}

// compareFirst returns -1 if the first entry of a comes before that of b, 1 if it comes after, and
// 0 if both have the same place.
func compareFirst(a, b object.Tree) int {
	switch {
	case len(b) == 0:
		return -1
	case len(a) == 0:
		return 1
	}
	switch c := object.CompareEntries(a[0], b[0]); {
	case c < 0:
		return -1
	case c > 0:
		return 1
	}
	return 0
}

// entry yields what differs between two entries of one place; one of them may be zero.
func (d *differ) entry(was, is object.Entry, prefix string) bool {
	path := prefix + max(was.Name, is.Name)
	if was.Mode.IsDir() || is.Mode.IsDir() {
		return d.diff(was.ID, is.ID, path+"/")
	}
	return d.yield(Change{path, was, is}, nil)
}

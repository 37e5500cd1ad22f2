package forge

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/tree"
)

// maxAttributes is how large a .gitattributes is that is read, in bytes.
const maxAttributes = 1 << 20

// errNoLFSObjects is what an import of a repository with large files gets.
var errNoLFSObjects = errors.New("not imported; push the files of Git LFS with git lfs push --all")

// noteLFS notes down that the large files of a repository do not come, if it has some by its
// default branch.
func noteLFS(ctx context.Context, r *run) (s step, err error) {
	p, err := tree.FindProject(ctx, r.st, r.ProjectID) // it has its default branch since the repository has come
	if err != nil || p.Head == "" {
		return s, err
	}
	g, err := code.Open(ctx, r.st, p)
	if err != nil {
		return s, err
	}
	text, err := g.ReadSmallFile(ctx, "HEAD", ".gitattributes", maxAttributes)
	if err != nil {
		return s, fault.IgnoreNotFound(err)
	}
	if usesLFS(text) {
		s.fail(r, "lfs_objects", 0, errNoLFSObjects)
	}
	return s, nil
}

// usesLFS reports whether a .gitattributes has files that Git LFS stores.
func usesLFS(attributes []byte) bool {
	for line := range bytes.Lines(attributes) {
		words := bytes.Fields(line)
		if len(words) > 0 && words[0][0] != '#' && slices.ContainsFunc(words[1:], func(word []byte) bool {
			return string(word) == "filter=lfs"
		}) {
			return true
		}
	}
	return false
}

package gittest

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// RandomRich makes a repository like Random that has renames, of directories, too, and binary
// files, empty ones and some with carriage returns. Merges of its commits are clean more often.
func RandomRich(t testing.TB, seed uint64, commits int) Repo {
	return random(t, &history{rich: true}, seed, commits)
}

// enrich makes another content of some.
func (h *history) enrich(text string) string {
	switch h.random.IntN(8) {
	case 0:
		return strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		return "\x00binary " + text
	case 2:
		return ""
	}
	return text + "\n"
}

// move renames a file or a directory of a tree.
func (h *history) move(tree files) {
	paths := slices.Sorted(maps.Keys(tree))
	if len(paths) == 0 {
		return
	}
	path := paths[h.random.IntN(len(paths))]
	to := directories[h.random.IntN(len(directories))] + names[h.random.IntN(len(names))]
	dir, _, inside := strings.Cut(path, "/")
	switch h.random.IntN(3) {
	case 0:
		if !inside {
			return
		}
		for _, p := range paths {
			moved, there := tree[p] // unless another one has taken its place
			if rest, ok := strings.CutPrefix(p, dir+"/"); ok && there {
				delete(tree, p)
				tree.put(to+"/"+rest, moved)
			}
		}
	default:
		moved := tree[path]
		delete(tree, path)
		tree.put(to, moved)
	}
}

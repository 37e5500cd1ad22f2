package gittest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// directories and names are what random paths are made of.
var (
	directories = []string{"", "", "a/", "a/b/", "a.b/", "ä/", "src/deep/er/", "-x/", "sp ace/", "q\"uote/", "z/"}
	names       = []string{
		"a", "b", "a.b", "a-b", "README.md", "ünïcode", "tab\there", "new\nline", "日本", "z", "0", "\xff",
	}
)

// A file is an entry of a random tree, as fast-import takes it: mode and what it refers to.
type file struct{ mode, ref string }

type files map[string]file

// A history makes up commits.
type history struct {
	random *rand.Rand
	out    strings.Builder
	blobs  int
	trees  []files // of each commit
	tips   []int   // numbers of commits, from 1
	time   int
	skew   int // how far clocks run backwards now and then
	rich   bool
}

// Random makes a repository with so many commits: branches, merges of two and more parents,
// criss-cross merges, odd names, all modes, several commits in one second. Its branches are b0 to
// b4. The same seed makes the same repository.
func Random(t testing.TB, seed uint64, commits int) Repo {
	return random(t, &history{}, seed, commits)
}

// RandomSkewed makes a repository like Random, but with clocks that run backwards. Where the times
// matter, git itself leaves some commits of a range in that should not be there.
func RandomSkewed(t testing.TB, seed uint64, commits int) Repo {
	return random(t, &history{skew: 30}, seed, commits)
}

// RandomRich makes a repository like Random that has renames, of directories, too, and binary files, empty ones and some with carriage returns. Merges of its commits
// are clean more often.
func RandomRich(t testing.TB, seed uint64, commits int) Repo {
	return random(t, &history{rich: true}, seed, commits)
}

func random(t testing.TB, h *history, seed uint64, commits int) Repo {
	h.random = rand.New(rand.NewPCG(seed, 1))
	h.time = 1_600_000_000
	h.writeBlobs()
	for range commits {
		h.commit()
	}
	for i := range 5 {
		fmt.Fprintf(&h.out, "reset refs/heads/b%d\nfrom :%d\n\n", i, commitMark(h.tips[i%len(h.tips)]))
	}
	r := New(t)
	r.Git(h.out.String(), "fast-import", "--quiet", "--date-format=raw-permissive")
	r.Git("", "symbolic-ref", "HEAD", "refs/heads/b0")
	return r
}

// commitMark returns the mark of a commit, which is beyond those of blobs.
func commitMark(n int) int { return 1000 + n }

// writeBlobs writes contents that resemble each other, so that git makes deltas of them.
func (h *history) writeBlobs() {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("line %d %d", i, h.random.Uint64()))
	}
	for h.blobs = 1; h.blobs < 60; h.blobs++ {
		lines[h.random.IntN(len(lines))] = fmt.Sprintf("changed %d", h.random.Uint64())
		text := strings.Join(lines[:h.random.IntN(len(lines))], "\n")
		if h.rich {
			text = h.enrich(text)
		}
		fmt.Fprintf(&h.out, "blob\nmark :%d\ndata %d\n%s\n", h.blobs, len(text), text)
	}
}

func (h *history) commit() {
	n := len(h.trees) + 1
	parents := h.parents()
	tree := h.merge(parents)
	for range h.random.IntN(4) {
		h.edit(tree)
	}
	if h.rich && h.random.IntN(3) == 0 {
		h.move(tree)
	}
	h.trees = append(h.trees, tree)

	h.time += h.random.IntN(3)
	if h.random.IntN(20) == 0 {
		h.time -= h.skew
	}
	fmt.Fprintf(&h.out, "reset refs/heads/x\n\ncommit refs/heads/x\nmark :%d\ncommitter C <c@x> %d +0000\ndata 1\nx\n",
		commitMark(n), h.time)
	word := "from"
	for _, parent := range parents {
		fmt.Fprintf(&h.out, "%s :%d\n", word, commitMark(parent))
		word = "merge"
	}
	h.out.WriteString("deleteall\n")
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		fmt.Fprintf(&h.out, "M %s %s %s\n", tree[path].mode, tree[path].ref, quote(path))
	}
	h.out.WriteByte('\n')
	h.replaceTips(n, parents)
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

// parents chooses what the next commit follows: mostly one tip, now and then several, or none.
func (h *history) parents() []int {
	if len(h.tips) == 0 || h.random.IntN(60) == 0 {
		return nil
	}
	count := 1
	switch h.random.IntN(12) {
	case 0, 1, 2:
		count = 2
	case 3:
		count = 3 + h.random.IntN(2)
	}
	var parents []int
	for range count {
		tip := h.tips[h.random.IntN(len(h.tips))]
		if !slices.Contains(parents, tip) {
			parents = append(parents, tip)
		}
	}
	return parents
}

// replaceTips makes commit n a tip. Its parents mostly stop to be tips; those that stay make
// branches and criss-cross merges.
func (h *history) replaceTips(n int, parents []int) {
	h.tips = append(h.tips, n)
	for _, parent := range parents {
		if len(h.tips) > 6 || h.random.IntN(3) > 0 {
			h.tips = slices.DeleteFunc(h.tips, func(tip int) bool { return tip == parent })
		}
	}
	if len(h.tips) > 8 {
		h.tips = h.tips[1:]
	}
}

// merge returns a tree made of those of the parents: the same as one of them, or of each something.
func (h *history) merge(parents []int) files {
	tree := files{}
	if len(parents) == 0 {
		return tree
	}
	if h.random.IntN(2) == 0 || h.rich && h.random.IntN(2) == 0 {
		return maps.Clone(h.trees[parents[h.random.IntN(len(parents))]-1])
	}
	for _, parent := range parents {
		theirs := h.trees[parent-1]
		for _, path := range slices.Sorted(maps.Keys(theirs)) {
			if h.random.IntN(len(parents)) == 0 || len(parents) == 1 {
				tree.put(path, theirs[path])
			}
		}
	}
	return tree
}

// edit changes one path.
func (h *history) edit(tree files) {
	path := directories[h.random.IntN(len(directories))] + names[h.random.IntN(len(names))]
	blob := fmt.Sprintf(":%d", 1+h.random.IntN(h.blobs-1))
	switch h.random.IntN(12) {
	case 0, 1:
		delete(tree, path)
	case 2:
		tree.put(path, file{"100755", blob})
	case 3:
		tree.put(path, file{"120000", blob})
	case 4:
		tree.put(path, file{"160000", fmt.Sprintf("%040x", 1+h.random.IntN(5))})
	default:
		tree.put(path, file{"100644", blob})
	}
}

// put sets a path, and removes what is in its way: files at its directories, or all below it.
func (f files) put(path string, to file) {
	for other := range f {
		if strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			delete(f, other)
		}
	}
	f[path] = to
}

// quote writes a path as fast-import reads it.
func quote(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(path) {
		fmt.Fprintf(&b, "\\%03o", c)
	}
	return b.String() + `"`
}

package code_test

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/diff"
	"hew/server/git/gittest"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

var mergeCases = flag.Int("merge-cases", 40, "how many pairs of commits TestMergeCorpus compares with what git says")

// pairsPerSeed is how many pairs of commits one repository has.
const pairsPerSeed = 20

// Merges, differences, merge bases and patch ids of two commits are those of git, whatever their
// histories and files are.
func TestMergeCorpus(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64((*mergeCases + pairsPerSeed - 1) / pairsPerSeed) {
		r := gittest.RandomRich(t, 900+seed, 80)
		s := newScene(t)
		s.push(r, "refs/heads/b0", "refs/heads/b1", "refs/heads/b2", "refs/heads/b3", "refs/heads/b4")
		commits := r.Lines("rev-list", "--branches=b*")
		random := rand.New(rand.NewPCG(seed, 2))
		g := s.open()
		for range pairsPerSeed {
			p := pair{t, r, g, commits[random.IntN(len(commits))], commits[random.IntN(len(commits))], seen}
			p.compareHistory()
			p.compareDiff()
			p.compareMerge()
		}
	}
	for _, what := range []string{
		"criss-cross", "octopus", "clean", "conflict", "A", "D", "M", "R", "T", "binary", "submodule", "symbolic link",
		"executable", "carriage returns", "unicode path", "path that is no UTF-8", "empty file", "renamed and changed",
	} {
		require.Positive(t, seen[what], "%s: no case; there are %v", what, seen)
	}
}

// pair is two commits of a repository that is in the database, too.
type pair struct {
	t    *testing.T
	git  gittest.Repo
	got  *code.Git
	a, b string
	seen map[string]int // what was compared
}

func (p pair) ids() (a, b object.ID) { return p.git.ID(p.a), p.git.ID(p.b) }

func (p pair) compareHistory() {
	p.t.Helper()
	a, b := p.ids()
	out, _ := p.git.Try("", "merge-base", "--all", p.a, p.b) // exit status 1 if there is none
	bases, err := p.got.MergeBases(p.t.Context(), a, b)
	require.NoError(p.t, err)
	var digits []string
	for _, id := range bases {
		digits = append(digits, id.String())
	}
	require.ElementsMatch(p.t, strings.Fields(out), digits)
	if len(bases) > 1 {
		p.seen["criss-cross"]++
	}
	if p.git.Git("", "rev-list", "--min-parents=3", "--max-count=1", p.a+"..."+p.b) != "" {
		p.seen["octopus"]++
	}
	counts := strings.Fields(p.git.Git("", "rev-list", "--left-right", "--count", p.a+"..."+p.b))
	ahead, behind, err := p.got.Diverged(p.t.Context(), a, b)
	require.NoError(p.t, err)
	require.Equal(p.t, counts, []string{strconv.Itoa(ahead), strconv.Itoa(behind)})
	if len(bases) != 1 {
		return
	}
	want := strings.Fields(p.git.Git(p.git.Git("", "diff", "--full-index", p.a+"..."+p.b), "patch-id", "--stable"))
	id, err := p.got.PatchID(p.t.Context(), bases[0], b)
	require.NoError(p.t, err)
	if len(want) == 0 {
		require.Zero(p.t, id)
		return
	}
	require.Equal(p.t, want[0], id.String(), "patch-id of %s...%s", p.a, p.b)
}

func (p pair) compareDiff() {
	p.t.Helper()
	a, b := p.ids()
	want := p.git.Git("", "diff", "--full-index", p.a, p.b)
	var text strings.Builder
	require.NoError(p.t, p.got.WriteDiff(p.t.Context(), a, b, &text))
	require.Equal(p.t, want, text.String())

	list, err := p.got.DiffList(p.t.Context(), a, b, diff.LimitsOf(3000, 100_000, 512_000), diff.Window{Limit: 3000})
	require.NoError(p.t, err)
	var names, patches strings.Builder
	for _, f := range list.Files {
		names.WriteByte(f.Status)
		p.note(f.File)
		names.WriteString(" " + f.OldPath)
		if f.Status == 'R' {
			names.WriteString(" " + f.NewPath)
		}
		names.WriteByte('\n')
		patches.WriteString(f.Patch)
	}
	fields := strings.Split(strings.TrimSuffix(p.git.Git("", "diff", "--name-status", "-z", p.a, p.b), "\x00"), "\x00")
	var wanted strings.Builder
	for len(fields) > 1 {
		n := 2
		if fields[0][0] == 'R' {
			n = 3
		}
		wanted.WriteString(fields[0][:1] + " " + strings.Join(fields[1:n], " ") + "\n")
		fields = fields[n:]
	}
	require.Equal(p.t, wanted.String(), names.String())
	require.Equal(p.t, withoutHeaders(want), patches.String())
}

// emptyBlob is the id of the empty file.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// note counts what there is about a file of a difference.
func (p pair) note(f diff.File) {
	has := func(mode object.Mode) bool { return f.OldMode == mode || f.NewMode == mode }
	for what, is := range map[string]bool{
		string(f.Status): true, "binary": f.Binary, "submodule": has(object.ModeSubmodule),
		"symbolic link": has(object.ModeSymlink), "executable": has(object.ModeExecutable),
		"carriage returns":      strings.Contains(f.Patch, "\r\n"),
		"unicode path":          utf8.ValidString(f.NewPath) && len([]rune(f.NewPath)) < len(f.NewPath),
		"path that is no UTF-8": !utf8.ValidString(f.NewPath),
		"empty file":            f.OldID.String() == emptyBlob || f.NewID.String() == emptyBlob,
		"renamed and changed":   f.Status == 'R' && f.Patch != "",
	} {
		if is {
			p.seen[what]++
		}
	}
}

// withoutHeaders returns the hunks of a difference.
func withoutHeaders(text string) string {
	var b strings.Builder
	header := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			header = true
			continue
		case strings.HasPrefix(line, "@@ "), strings.HasPrefix(line, "Binary files "):
			header = false
		}
		if !header {
			b.WriteString(line)
		}
	}
	return b.String()
}

func (p pair) compareMerge() {
	p.t.Helper()
	a, b := p.ids()
	out, err := p.git.Try("", "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", p.a, p.b)
	m, failed := p.got.TestMerge(p.t.Context(), a, b)
	if bases, _ := p.git.Try("", "merge-base", p.a, p.b); bases == "" {
		require.Error(p.t, failed, "unrelated histories")
		return
	}
	fields := strings.Split(strings.TrimRight(out, "\x00"), "\x00")
	if err != nil {
		var u code.Unmergeable
		require.ErrorAs(p.t, failed, &u)
		require.Equal(p.t, fields[1:], append([]string{}, u.Paths...))
		p.seen["conflict"]++
		return
	}
	require.NoError(p.t, failed)
	require.Equal(p.t, fields[0], m.Tree.String())
	p.seen["clean"]++
	var paths []string
	for f, err := range gittree.Walk(p.t.Context(), p.got, m.Tree, gittree.Options{Recursive: true}) {
		require.NoError(p.t, err)
		if f.Entry.Mode != object.ModeDir {
			paths = append(paths, f.Path)
		}
	}
	listed := strings.TrimSuffix(p.git.Git("", "ls-tree", "-r", "-z", "--name-only", fields[0]), "\x00")
	require.Equal(p.t, listed, strings.Join(paths, "\x00"))
}

package expression

import (
	"context"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Glob is a pattern of paths as rules:changes and rules:exists have it: `*` and `?` stop at slashes
// and match leading dots, `**/` is any number of directories, `{a,b}` is either, `[a-z]` and
// `[!a-z]` are one character, and a backslash makes the next character a plain one.
type Glob struct {
	Text  string
	exact bool
	// suffix is that of every path that a pattern such as "**/*.go" matches, if there is one.
	suffix string
	re     *regexp.Regexp // nil: matches nothing
}

// maxGlob bounds a pattern, in bytes.
const maxGlob = 1 << 10

// NewGlob returns the glob of a pattern. One that is too large matches nothing.
func NewGlob(text string) *Glob {
	g := &Glob{Text: text}
	if !strings.ContainsAny(text, `*?[{\`) {
		g.exact = true
		return g
	}
	if suffix, ok := strings.CutPrefix(text, "**/*."); ok && !strings.ContainsAny(suffix, `*?[{\/`) {
		g.suffix = "." + suffix
		return g
	}
	if len(text) > maxGlob {
		return g
	}
	t := translation{text: text, segment: true}
	t.run(0)
	written := `(?s)\A` + t.out.String() + `\z`
	tree, err := syntax.Parse(written, syntax.Perl)
	if err == nil && !t.broken && weigh(tree) <= maxInstructions {
		g.re, _ = regexp.Compile(written)
	}
	return g
}

// Match reports whether a whole path matches.
func (g *Glob) Match(path string) bool {
	switch {
	case g.exact:
		return g.Text == path
	case g.suffix != "":
		return strings.HasSuffix(path, g.suffix)
	}
	return g.re != nil && g.re.MatchString(path)
}

// compares reports whether matching counts as a comparison with each path.
func (g *Glob) compares() bool { return !g.exact && g.suffix == "" }

// topLevel reports whether only paths without a slash can match.
func (g *Glob) topLevel() bool {
	return !strings.Contains(g.Text, "/") && !strings.Contains(g.Text, "**")
}

// maxComparisons bounds the comparisons of a clause. A clause with more of them holds.
const maxComparisons = 50_000

// AnyMatch reports whether one of the paths matches one of the patterns, or whether that would take
// more than 50,000 comparisons. The error is that of the context.
func AnyMatch(ctx context.Context, patterns, paths []string) (bool, error) {
	if len(patterns)*len(paths) > maxComparisons {
		return true, nil
	}
	return anyMatch(ctx, globs(patterns), paths)
}

// AnyExists is AnyMatch for rules:exists. Plain paths and patterns such as "**/*.go" are not
// comparisons, and a pattern that ends with a slash matches directories.
func AnyExists(ctx context.Context, patterns, paths []string) (bool, error) {
	var plain, compared []*Glob
	top := true
	for _, text := range patterns {
		if dir, ok := strings.CutSuffix(text, "/"); ok && dir != "" {
			text = dir + "/**/*"
		}
		g := NewGlob(text)
		if !g.compares() {
			plain = append(plain, g)
			continue
		}
		compared, top = append(compared, g), top && g.topLevel()
	}
	if found, err := anyMatch(ctx, plain, paths); found || err != nil || compared == nil {
		return found, err
	}
	if top {
		paths = topLevelPaths(paths)
	}
	if len(compared)*len(paths) > maxComparisons {
		return true, nil
	}
	return anyMatch(ctx, compared, paths)
}

func topLevelPaths(paths []string) (top []string) {
	for _, path := range paths {
		if !strings.Contains(path, "/") {
			top = append(top, path)
		}
	}
	return top
}

func globs(patterns []string) []*Glob {
	list := make([]*Glob, len(patterns))
	for i, text := range patterns {
		list[i] = NewGlob(text)
	}
	return list
}

func anyMatch(ctx context.Context, list []*Glob, paths []string) (bool, error) {
	for i, path := range paths {
		if i%256 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		for _, g := range list {
			if g.Match(path) {
				return true, nil
			}
		}
	}
	return false, nil
}

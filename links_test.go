package hew_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// link is an inline link or picture of Markdown, or a link of HTML.
	link = regexp.MustCompile(`\]\(([^()\s]+)\)|(?:href|src)="([^"]+)"`)
	// fenced is code, in which nothing is a link.
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	// unsaid is what an anchor leaves out of its heading.
	unsaid = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestLinksLead follows every link of every page to a file of the repository, or to a heading in
// it. What is elsewhere is not looked at.
func TestLinksLead(t *testing.T) {
	t.Parallel()
	tree := os.DirFS(".")
	anchors := map[string][]string{}
	var pages []string
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "bin" || name == "dist"):
			return fs.SkipDir
		case path.Ext(name) == ".md":
			pages = append(pages, name)
		}
		return nil
	}))
	require.Contains(t, pages, "README.md")
	for _, page := range pages {
		text, err := fs.ReadFile(tree, page)
		require.NoError(t, err)
		for _, h := range heading.FindAllStringSubmatch(string(text), -1) { // headings may have code in them
			anchors[page] = append(anchors[page], anchor(h[1]))
		}
	}
	for _, page := range pages {
		text, err := fs.ReadFile(tree, page)
		require.NoError(t, err)
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), "code"), -1) {
			to := found[1] + found[2]
			if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			file, section, _ := strings.Cut(to, "#")
			if file == "" {
				file = path.Base(page)
			}
			target := path.Join(path.Dir(page), file)
			if _, err := fs.Stat(tree, target); err != nil {
				t.Errorf("%s links to %s, which is not there", page, to)
			} else if section != "" && !slices.Contains(anchors[target], section) {
				t.Errorf("%s links to %s, and %s has no such heading", page, to, target)
			}
		}
	}
}

// anchor is what a heading is linked to by.
func anchor(heading string) string {
	return strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

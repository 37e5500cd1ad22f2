package api_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHostileTitles(t *testing.T) {
	t.Parallel()
	_, b := newBooks(t, "wikihostile")
	b.create("home", "x")
	for title, want := range map[string]string{
		"..": "cannot be the name", "a/../../b": "cannot be the name", ".": "cannot be the name", ".git": "cannot be the name",
		".GIT/config": "cannot be the name", ".git\u200c/hooks/x": "cannot be the name", "git~1/x": "cannot be the name",
		"a\x00b": "", "a\u202eb": "control characters", "a\x1bb": "control characters", "\uFFFD": "control characters",
		strings.Repeat("x", 246): "exceeds the limit of 245 bytes", strings.Repeat("ü", 123): "exceeds the limit of 245 bytes",
		strings.Repeat("x", 256) + "/a": "exceeds the limit of 255 bytes for directory name",
		strings.Repeat("dir/", 600):     "is too long (maximum is 2000 bytes", "/": "can't be blank", "  ": "",
		"home/below/..": "cannot be the name", "\u2028": "is empty",
	} {
		reply := b.do("POST", "", map[string]any{"title": title, "content": "x"})
		require.Equal(t, 400, reply.Status, "%q: %s", title, reply.Body)
		require.Contains(t, string(reply.Body), want, "%q", title)
	}
	for title, slug := range map[string]string{
		strings.Repeat("x", 245): strings.Repeat("x", 245), "ünïcode 日本/é": "ünïcode-日本/é", "home/below": "home/below",
		"/lead": "lead", "a//b/": "a/b", "%2e%2e": "%2e%2e", "<b>?#&": "<b>?#&", "-x": "-x", `a\b`: `a\b`, "x.md": "x.md",
		"HOME": "HOME", "con": "con", "attachments": "attachments", "..x": "..x", "a:b*c": "a:b*c", ".github": ".github",
	} {
		reply := b.do("POST", "", map[string]any{"title": title, "content": "x"})
		require.Equal(t, 201, reply.Status, "%q: %s", title, reply.Body)
		var made struct{ Slug string }
		reply.Into(t, &made)
		require.Equal(t, slug, made.Slug)
		require.Equal(t, 200, b.do("GET", "/"+url.PathEscape(slug), nil).Status, slug)
	}
	b.clone().Git("fsck", "--strict")
}

// A slug finds the page that fits best, and a directory and a page of one name are two things.
func TestSlugs(t *testing.T) {
	t.Parallel()
	_, b := newBooks(t, "wikislugs")
	w := b.clone()
	writePages(w, map[string]string{
		"My Dir/one.md": "1", "My-Dir/two.md": "2", "my-dir/three.md": "3", "Page.md": "upper", "page.md": "lower",
		"page/below.md": "below", "both.md": "md", "both.org": "org",
	})
	w.Git("push", "-q", "origin", "HEAD:main")
	for slug, want := range map[string]string{
		"My-Dir/one": "1", "My-Dir/two": "2", "MY-DIR/three": "3", "Page": "upper", "page": "lower", "page/below": "below",
		"both": "md", "PAGE": "upper", "My Dir/one": "1",
	} {
		require.Equal(t, want, b.page(slug), slug)
	}
	require.Len(t, b.slugs(), 8)
	require.Equal(t, 204, b.do("DELETE", "/page", nil).Status)
	require.Equal(t, "below", b.page("page/below"))
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	_, b := newBooks(t, "wikimatter")
	deep := "---\na: " + strings.Repeat("[", 30) + strings.Repeat("]", 30) + "\n---\nx"
	for i, tt := range []struct{ text, matter, content string }{
		{"---\na: 1\nb: [x, {c: true}]\nd: 2026-01-02\ne: .inf\nf: null\n---\nText",
			`{"a":1,"b":["x",{"c":true}],"d":"2026-01-02","e":".inf","f":null}`, "Text"},
		{"---\na: 1\n--- \n", `{"a":1}`, ""},
		{"---\n- a\n---\nx", `{}`, "---\n- a\n---\nx"},
		{"---\na: &x 1\nb: *x\n---\nx", `{}`, "---\na: &x 1\nb: *x\n---\nx"},
		{"---\na: [\n---\nx", `{}`, "---\na: [\n---\nx"},
		{"---\nno end", `{}`, "---\nno end"},
		{deep, `{}`, deep},
		{"---\n? {a: b}\n: c\n---\nx", `{}`, "---\n? {a: b}\n: c\n---\nx"},
		{"text\n---\na: 1\n---\n", `{}`, "text\n---\na: 1\n---\n"},
		{"---\na: !!binary x\n1: !!int y\n---\nx", `{"1":"y","a":"x"}`, "x"},
	} {
		title := fmt.Sprint("page ", i)
		b.create(title, tt.text)
		var p struct {
			Content     string         `json:"content"`
			FrontMatter map[string]any `json:"front_matter"`
		}
		b.do("GET", fmt.Sprint("/page-", i), nil).Into(t, &p)
		require.Equal(t, tt.matter, jsonOf(t, p.FrontMatter), tt.text)
		require.Equal(t, tt.content, p.Content)
	}
	large := "---\na: " + strings.Repeat("x", 20<<10) + "\n---\nx"
	b.create("large", large)
	require.Equal(t, large, b.page("large"))
}

func TestAttachments(t *testing.T) {
	t.Parallel()
	group, project := newBooks(t, "wikifiles")
	for _, b := range []book{group, project} {
		form := `^{"file_name":"%[1]s","file_path":"(uploads/[0-9a-f]{32}/%[1]s)","branch":"main",` +
			`"link":{"url":"(.+)","markdown":"%[2]s\((.+)\)"}}$`
		for name, want := range map[string][2]string{
			"dk.png": {`dk\.png`, `!\[dk\]`}, "my notes.txt": {`my_notes\.txt`, `\[my_notes\.txt\]`},
			"../../x": {"x", `\[x\]`}, ".git": {"git", `\[git\]`}, "a](b).md": {`a_b_\.md`, `\[a_b_\.md\]`},
		} {
			reply := b.attach(name, "", "content of "+name)
			require.Equal(t, 201, reply.Status, string(reply.Body))
			found := regexp.MustCompile(fmt.Sprintf(form, want[0], want[1])).FindSubmatch(reply.Body)
			require.NotNil(t, found, "%s", reply.Body)
			require.Equal(t, found[1], found[2])
			require.Equal(t, found[1], found[3])
			require.Equal(t, "content of "+name, readFile(t, b.clone(), string(found[1])))
		}
		require.Equal(t, 400, b.attach("x", "bad..name", "x").Status)
		require.Equal(t, 400, b.attach("x", "other", "x").Status, "the branch to begin at does not exist")
	}
	b := project // the limit is that of all tests here from now on: the others attach nothing
	b.s.Do(t, b.s.RootToken, "PUT", "/application/settings", map[string]any{"max_attachment_size": 1})
	require.Equal(t, 413, b.attach("large", "", strings.Repeat("x", 1<<20+1)).Status)
}

// The list of many pages reads none of them, and the content of all is limited.
func TestManyPages(t *testing.T) {
	t.Parallel()
	_, b := newBooks(t, "wikimany")
	w := b.clone()
	files := map[string]string{}
	for i := range 2500 {
		files[fmt.Sprintf("dir%d/page-%d.md", i%50, i)] = fmt.Sprint("page ", i)
	}
	writePages(w, files)
	w.Git("push", "-q", "origin", "HEAD:main")
	require.Len(t, b.slugs(), 2500)
	reply := b.do("GET", "?with_content=1", nil)
	require.Equal(t, 200, reply.Status)
	require.Equal(t, 2500, strings.Count(string(reply.Body), `"content":"page `))
	for i := range 9 {
		writePages(w, map[string]string{fmt.Sprintf("large%d.md", i): strings.Repeat("0123456789abcde\n", 1<<19)})
	}
	w.Git("push", "-q", "origin", "HEAD:main")
	reply = b.do("GET", "?with_content=1", nil)
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), "more than 64 MiB of text together")
	require.Len(t, b.slugs(), 2509)
	writePages(w, map[string]string{"huge.md": strings.Repeat("0123456789abcde\n", 1<<22+1)})
	w.Git("push", "-q", "origin", "HEAD:main")
	reply = b.do("GET", "/huge", nil)
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), `The page \"huge\" has more than 64 MiB`)
}

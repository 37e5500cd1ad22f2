package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/markdown"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# Home\n\nSee *this*.":             "<h1>Home</h1>\n<p>See <em>this</em>.</p>\n",
		"[a](docs/setup)":                   "<p><a href=\"docs/setup\" rel=\"nofollow\">a</a></p>\n",
		"| a |\n|---|\n| b |":               "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n",
		"```go\nx\n```":                     "<pre><code class=\"language-go\">x\n</code></pre>\n",
		"<script>alert(1)</script>x":        "x",
		"<b onclick=alert(1)>x</b>":         "<p><b>x</b></p>\n",
		"[a](javascript:alert(1))":          "<p>a</p>\n",
		"![a](data:text/html;base64,PHM+)":  "<p><img alt=\"a\"></p>\n",
		"<iframe src=//evil.com></iframe>x": "x",
		"<style>x</style>y":                 "y",
		"<form action=/x><input name=a>z":   "z",
		"- [x] done":                        "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n",
	} {
		got, err := markdown.HTML(text)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

// Texts that are made to take long to convert are shown as they are, or converted soon.
func TestHostileText(t *testing.T) {
	t.Parallel()
	began := time.Now()
	for _, part := range []string{
		"[", "> ", "*a_ ", "![[](", "<a ", "`", "- ", "|a", "\x00\xff", "[a]: b\n", "+ ", "1. ", "> - ", ">", "~~a ", "*a_ \n\n",
		"[a](b ", "# a\n", "- a\n", "&amp;", "http://a ", "<b>", "*a**b",
	} {
		for _, n := range []int{1000, 30_000, 1_000_000} {
			_, err := markdown.HTML(strings.Repeat(part, n))
			require.NoError(t, err)
		}
	}
	require.Less(t, time.Since(began), time.Minute)
	text, err := markdown.HTML(strings.Repeat("> ", 500) + "<b>")
	require.NoError(t, err)
	require.Contains(t, text, "&gt; &lt;b&gt;</pre>")
}

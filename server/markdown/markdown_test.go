package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "",
		"# One\n\n- **two**\n- `<3>`": "<h1>One</h1>\n<ul>\n<li><strong>two</strong></li>\n<li><code>&lt;3&gt;</code></li>\n</ul>\n",
		"[x](https://a.example)":      `<p><a href="https://a.example" rel="nofollow">x</a></p>` + "\n",
		"[x](javascript:alert(1))":    "<p>x</p>\n",
		"![x](data:text/html,y)":      "<p><img alt=\"x\"></p>\n",
		"|a|\n|-|\n|b|":               "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n",
		"- [x] done":                  "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n",
	} {
		got, err := HTML(text)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

// Nothing that runs comes through, in HTML or in Markdown.
func TestHTMLIsSafe(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href=\"javascript:alert(1)\">x</a>",
		"[x](java\nscript:alert)", "<https://x/\"onclick=alert(1)>", "[x]( javascript&colon;alert(1) )",
		"<style>*{}</style>", "<iframe src=//x></iframe>", "<form action=//x><input name=a>", "<!-- x --><svg onload=y>",
		"`<script>`", "| <script> |\n|-|",
	} {
		got, err := HTML(text)
		require.NoError(t, err)
		for _, bad := range []string{
			"<script", "onerror=", "javascript:", "\"onclick", "<style", "<iframe", "<form", "<svg", "name=",
		} {
			require.NotContains(t, strings.ToLower(got), bad, text)
		}
	}
}

// A text that is made to take long is not converted.
func TestHTMLGivesUp(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("[a](", maxMarks+1), strings.Repeat("<b>\n", maxLength/4+1)} {
		got, err := HTML(text)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(got, "<pre>") && strings.HasSuffix(got, "</pre>\n"))
		require.NotContains(t, got, "<b>")
	}
}

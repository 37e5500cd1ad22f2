// Package markdown turns texts of users into HTML that a page of the server's origin can contain:
// without scripts, styles or forms.
package markdown

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

var (
	converter = goldmark.New(goldmark.WithExtensions(extension.GFM)) // leaves out HTML in the text
	policy    = newPolicy()
)

func newPolicy() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowAttrs("type").Matching(bluemonday.Paragraph).OnElements("input") // the boxes of task lists
	p.AllowAttrs("checked", "disabled").OnElements("input")
	return p
}

// The most that is converted. The time that conversion takes grows with the square of the brackets
// and marks that could be links, quotes or emphasis.
const (
	maxLength = 256 << 10 // bytes
	maxMarks  = 4000
)

// HTML returns GitHub flavored Markdown as HTML. Nothing but elements and attributes that a policy
// allows reaches the result, whatever the text is.
// A text that would take long is shown as it is written.
func HTML(text string) (string, error) {
	if len(text) > maxLength || countMarks(text) > maxMarks {
		return "<pre>" + html.EscapeString(text) + "</pre>\n", nil
	}
	var out bytes.Buffer
	if err := converter.Convert([]byte(text), &out); err != nil {
		return "", fmt.Errorf("convert Markdown: %w", err)
	}
	return policy.SanitizeReader(&out).String(), nil
}

func countMarks(text string) (n int) {
	for _, mark := range []string{"[", ">", "*", "_"} {
		n += strings.Count(text, mark)
	}
	return n
}

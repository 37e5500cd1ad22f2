// Package markdown turns Markdown of users into HTML that is safe to show, and finds the mentions,
// references and tasks in it.
package markdown

import (
	"bytes"
	stdhtml "html"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// converter reads CommonMark with the tables, task lists and links of GitHub, and what is struck
// through. It lets HTML through, which the policy cleans.
var converter = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Linkify, extension.Table, extension.TaskList, strikethrough{}),
		goldmark.WithRendererOptions(html.WithUnsafe()))
})

// policy allows what text needs: no script, style, form or frame.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowAttrs("class").Matching(bluemonday.SpaceSeparatedTokens).OnElements("code")
	p.AllowAttrs("type").Matching(bluemonday.Paragraph).OnElements("input")
	p.AllowAttrs("checked", "disabled").OnElements("input")
	return p
})

// HTML returns a text as HTML that is safe to show. A text that would take long to convert is shown
// as it is.
func HTML(text string) (string, error) {
	if isCostly(text) {
		return Plain(text), nil
	}
	var out bytes.Buffer
	if err := converter().Convert([]byte(text), &out); err != nil {
		return "", err
	}
	return policy().SanitizeReader(&out).String(), nil
}

// Plain returns a text as HTML that shows it as it is.
func Plain(text string) string { return "<pre>" + stdhtml.EscapeString(text) + "</pre>" }

package send

import (
	"html"
	"slices"
	"strings"
)

// text is a text with links, which is written in the format of the receiver.
type text []span

// span is a part of a text. A span with a url is a link.
type span struct {
	text  string
	url   string
	aside bool // it is left out where links cannot be followed
}

func word(s string) span      { return span{text: s} }
func link(s, url string) span { return span{text: s, url: url} }
func words(list ...span) text { return list }

// aside returns a link that is worth nothing without its address, with the texts around it.
func aside(before, s, url, after string) []span {
	return []span{{before, "", true}, {s, url, true}, {after, "", true}}
}

func (t text) and(s ...span) text { return append(t[:len(t):len(t)], s...) }

// write joins the spans, each in the form that a format has for texts and for links.
func (t text) write(plain func(string) string, link func(text, url string) string) string {
	var b strings.Builder
	for _, s := range t {
		if s.url == "" {
			b.WriteString(plain(s.text))
		} else {
			b.WriteString(link(plain(s.text), s.url))
		}
	}
	return b.String()
}

func (t text) plain() string {
	t = slices.DeleteFunc(slices.Clone(t), func(s span) bool { return s.aside })
	return t.write(func(s string) string { return s }, func(s, _ string) string { return s })
}

var slackEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// slack writes the format of Slack, where nothing but &, < and > can begin a mention or a link.
func (t text) slack() string {
	return t.write(slackEscapes.Replace, func(s, url string) string {
		return "<" + strings.ReplaceAll(slackEscapes.Replace(url), "|", "%7C") + "|" + s + ">"
	})
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "~", `\~`, "|", `\|`,
)

func (t text) markdown() string {
	return t.write(markdownEscapes.Replace, func(s, url string) string {
		return "[" + s + "](" + strings.NewReplacer("(", "%28", ")", "%29", " ", "%20").Replace(url) + ")"
	})
}

func (t text) html() string {
	return t.write(html.EscapeString, func(s, url string) string {
		return `<a href="` + html.EscapeString(url) + `">` + s + "</a>"
	})
}

// cut returns at most n bytes of a text, whole characters, with an ellipsis where it was cut.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len("…")], "") + "…"
}

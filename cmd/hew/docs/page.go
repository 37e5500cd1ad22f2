package docs

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"hew/schema/pattern"
)

// Page is one page of the reference, in Markdown. On a terminal links would be
// noise, so there they are only their text.
type Page struct {
	strings.Builder
	Path  string // in the directory of the reference
	plain bool
	Raw   bool            // not Markdown: lines stay as they are
	words map[string]bool // names that are set as code in prose: the kind's attributes
}

func (p *Page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// heading begins a section; level 1 is the title of the page.
func (p *Page) heading(level int, text string) {
	if p.Len() > 0 && !strings.HasSuffix(p.String(), "\n\n") {
		p.line("")
	}
	p.line("%s %s\n", strings.Repeat("#", level), text)
}

// link returns a link to another page.
func (p *Page) link(text, to string) string {
	if p.plain {
		return text
	}
	to, _ = filepath.Rel(filepath.Dir(p.Path), to) // both are relative
	return fmt.Sprintf("[%s](%s)", text, filepath.ToSlash(to))
}

func (p *Page) code(language, text string) {
	p.line("```%s\n%s\n```", language, strings.TrimRight(text, "\n"))
}

// table writes a table with a row for each fact.
func (p *Page) table(what, is string, facts []fact) {
	p.line("| %s | %s |\n|---|---|", what, is)
	for _, f := range facts {
		p.line("| %s | %s |", strings.ReplaceAll(f.name, "|", `\|`), strings.ReplaceAll(p.prose(f.is), "|", `\|`))
	}
}

// names matches what may be a name in prose: snake_case words and {placeholders}. It also matches
// code, which stays as it is.
var names = pattern.Lazy("`[^`]*`" + `|\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\{+\w+\}+`)

// prose returns a text with names as code and Markdown escaped.
func (p *Page) prose(text string) string {
	var b strings.Builder
	escape := strings.NewReplacer("<", "&lt;", "*", `\*`).Replace
	if p.plain {
		escape = func(s string) string { return s }
	}
	rest := 0
	for _, at := range names().FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		if strings.ContainsAny(name[:1], "`{") || p.words[name] {
			b.WriteString(escape(text[rest:at[0]]) + code(name))
			rest = at[1]
		}
	}
	return b.String() + escape(text[rest:])
}

// listed returns a text with words as code where it lists them, as in "never, always (each time) or
// default_on".
func listed(text string, words []string) string {
	for _, w := range words {
		item := regexp.MustCompile(`(: |, | or )(` + regexp.QuoteMeta(w) + `)([,. (;]|$)`)
		text = item.ReplaceAllString(text, "$1`$2`$3")
	}
	return text
}

// code returns a text as code, unless it is code already.
func code(text string) string {
	if strings.HasPrefix(text, "`") {
		return text
	}
	return "`" + text + "`"
}

// either returns a list of choices: `a`, `b` or `c`.
func either(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = code(w)
	}
	last := len(quoted) - 1
	if last < 1 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

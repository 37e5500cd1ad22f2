package view

import (
	"html"
	"regexp"
	"strings"
	"sync"

	"hew/reconcile/report/prose"
	"hew/schema/pattern"
)

// What stands in a Markdown document may be written by anybody: names on the
// host, descriptions, errors. None of it may become markup, call people by an @,
// link to other issues, or be taken for a command of the host (/close). In code
// none of that means anything, so code is what everything becomes that is not
// plainly a word.

// plainInMarkdown matches a word that Markdown leaves as it is, with the punctuation around it, or
// punctuation alone. Classes of letters take long to compile, and most runs write no Markdown.
var plainInMarkdown = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(?:[("']*[\pL\pN]+(?:[-'’/,][\pL\pN]+)*[)"'.,;:!?…]*|[-–—…=(){}]|\d\d:\d\d|\(?\d* ?%[).,;:]*)$`,
	)
})

// listMark matches what would begin a list at the start of a line.
var listMark = pattern.Lazy(`^(?:[-–—…=(){}]|\d+[.)])$`)

// punctuation matches what follows a name in a sentence.
var punctuation = pattern.Lazy(`[.,;:)]*$`)

// Plainly returns a sentence in which everything but plain words is set by code.
func Plainly(s string, code func(string) string) string {
	words := strings.Fields(s)
	var out []string
	for i := 0; i < len(words); {
		end := expressionEnd(words, i)
		w := prose.Clean(strings.Join(words[i:end], " "))
		if end > i+1 || !plainInMarkdown().MatchString(w) || i == 0 && listMark().MatchString(w) {
			before := len(w) - len(strings.TrimLeft(w, "("))
			if end == i+1 {
				before = 0
			}
			at := codeEnd(w[before:]) + before
			w = w[:before] + code(w[before:at]) + w[at:]
		}
		out = append(out, w)
		i = end
	}
	return strings.Join(out, " ")
}

// codeEnd returns where the punctuation of the sentence begins behind a name.
func codeEnd(w string) int {
	at := punctuation().FindStringIndex(w)[0]
	if at == 0 || entity().MatchString(w) ||
		strings.HasSuffix(w, ")") && strings.Count(w, "(") == strings.Count(w, ")") {
		return len(w)
	}
	return at
}

var (
	// entity matches a name that ends in a character reference of HTML.
	entity = pattern.Lazy(`&#?\w+;$`)
	// argument matches the beginning of an expression: the name of an argument or block.
	argument = pattern.Lazy(`^\(?[a-z][\w.-]*$`)
)

// expressionEnd returns the index behind the expression that begins at a word: a block, hew { … },
// or an argument, allow = […]. Behind any other word the next one begins.
func expressionEnd(words []string, i int) int {
	if i+2 >= len(words) || !argument().MatchString(words[i]) || words[i+1] != "=" && words[i+1] != "{" {
		return i + 1
	}
	end := i + 2
	if words[i+1] == "=" {
		end++
	}
	for ; end <= len(words); end++ {
		text := strings.Join(words[i:end], " ")
		if strings.Count(text, "{")+strings.Count(text, "[") <= strings.Count(text, "}")+strings.Count(text, "]") &&
			strings.Count(text, `"`)%2 == 0 {
			return end
		}
	}
	return i + 1
}

// advice returns a fix within an item of a list: sentences, and blocks to paste.
func advice(s string) string {
	var parts []string
	for part := range strings.SplitSeq(s, "\n\n") {
		text := Plainly(part, Verbatim)
		if strings.Contains(part, "\n") {
			f := fence(3, part)
			text = f + "hcl\n" + prose.CleanLines(part) + "\n" + f
		}
		parts = append(parts, text)
	}
	for i := range parts {
		parts[i] = "  " + strings.ReplaceAll(parts[i], "\n", "\n  ")
	}
	return strings.Join(parts, "\n\n")
}

var backticks = pattern.Lazy("`+")

// fence returns a run of backticks that none of the texts contains, at least that long.
func fence(least int, texts ...string) string {
	n := least
	for _, t := range texts {
		for _, run := range backticks().FindAllString(t, -1) {
			n = max(n, len(run)+1)
		}
	}
	return strings.Repeat("`", n)
}

// Verbatim sets a line of text as code, whatever is in it.
func Verbatim(s string) string {
	if s == "" {
		return ""
	}
	f := fence(1, s)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") &&
		strings.HasSuffix(s, " ") {
		s = " " + s + " " // Markdown takes these off again
	}
	return f + s + f
}

// verbatimHTML returns Verbatim where Markdown reads HTML.
func verbatimHTML(s string) string { return "<code>" + html.EscapeString(s) + "</code>" }

// bullet returns an item of a list: a name, where it is declared, and what there is to say.
func (m *Markdown) bullet(about, at, text string) string {
	s := "- " + about
	if at != "" {
		s += " (" + m.place(at) + ")"
	}
	if text != "" {
		s += ": " + Plainly(text, Verbatim)
	}
	return s + "\n"
}

// place returns a place in a file, linked where the source gives a URL.
func (m *Markdown) place(at string) string {
	text := Verbatim(prose.Clean(at))
	if to := m.Source.file(m.current().directory, at); to != "" {
		return "[" + text + "](" + to + ")"
	}
	return text
}

// MarkdownHead returns the beginning of the first line of a document.
func MarkdownHead(command string) string { return "### hew " + command }

// nameAndWas returns an address, and the previous one if there is one.
func nameAndWas(name, was string) string {
	if was == "" {
		return Verbatim(name)
	}
	return Verbatim(name) + " (was " + Verbatim(was) + ")"
}

package markdown

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Spot is a part of a text that means something else where the text stands elsewhere: the path of
// a reference, which is empty in one to the place of the text, or the secret of a link to an
// upload.
type Spot struct {
	span
	Reference Reference // neither a URL nor a commit; zero: it is a link
	Upload    Upload
}

// Upload is a file of the group or project that a text belongs to, as its texts link to it.
type Upload struct{ Secret, Name string }

// Spots returns the spots of a text in order. Code has none. A text that would take long to parse
// is read line by line: there, blocks of code that are indented have spots, too.
func Spots(text string) (found []Spot) {
	prose, ofPassages := []span(nil), []passage(nil)
	if root, source := parse(text); root != nil {
		prose, ofPassages = outside(codeOf(root), len(text)), passagesOf(root, source)
	} else {
		prose = proseOf(text)
		for _, s := range prose {
			ofPassages = append(ofPassages, passageAt(text, s))
		}
	}
	for _, p := range ofPassages {
		for _, t := range p.tokens() {
			if s, ok := p.spot(t); ok {
				found = append(found, s)
			}
		}
	}
	for _, s := range prose {
		found = append(found, uploadsIn(text, s)...)
	}
	slices.SortFunc(found, func(a, b Spot) int { return cmp.Compare(a.start, b.start) })
	return slices.CompactFunc(found, func(a, b Spot) bool { return a.span == b.span })
}

// Replace returns a text with another path or secret at each of its spots for which with returns
// one.
func Replace(text string, spots []Spot, with func(Spot) (other string, ok bool)) string {
	var out strings.Builder
	written := 0
	for _, s := range spots {
		if other, ok := with(s); ok {
			out.WriteString(text[written:s.start] + other)
			written = s.end
		}
	}
	return out.String() + text[written:]
}

// passageAt returns a part of a text as a passage.
func passageAt(text string, s span) passage {
	p := passage{text: text[s.start:s.end], at: make([]int, s.end-s.start)}
	for i := range p.at {
		p.at[i] = s.start + i
	}
	return p
}

// tokens returns the names and references in the passage, those of labels and milestones last.
func (p passage) tokens() []token {
	found := scan(p.text)
	next := 0
	names := slices.DeleteFunc(scanNames(p.text), func(t token) bool { // in a URL they are part of it
		for next < len(found) && found[next].end <= t.start {
			next++
		}
		return next < len(found) && found[next].reference.Kind == URL && found[next].start < t.end
	})
	return append(found, names...)
}

// spot returns the spot of a token of the passage; ok is false if it means the same everywhere.
func (p passage) spot(t token) (s Spot, ok bool) {
	marks := map[Kind]string{Issue: "#", MergeRequest: "!", Epic: "&", Label: "~", Milestone: "%"}
	mark, ok := marks[t.reference.Kind]
	if !ok || t.mention != "" {
		return s, false
	}
	// a path has no mark, so the first one is that of the token
	end := t.start + strings.Index(p.text[t.start:t.end], mark)
	start := end - len(t.reference.Path)
	if p.at[start] < 0 || p.at[end] < 0 {
		return s, false
	}
	return Spot{span: span{p.at[start], p.at[end]}, Reference: t.reference}, true
}

var uploadLink = regexp.MustCompile(`(?:^|[^\w./-])/uploads/([0-9a-f]{32})/([\pL\pN._%-]+)`)

// uploadsIn returns the links to uploads in a part of a text.
func uploadsIn(text string, in span) (found []Spot) {
	for _, m := range uploadLink.FindAllStringSubmatchIndex(text[in.start:in.end], -1) {
		secret := span{in.start + m[2], in.start + m[3]}
		name := strings.TrimRight(text[in.start+m[4]:in.start+m[5]], ".")
		found = append(found, Spot{span: secret, Upload: Upload{text[secret.start:secret.end], name}})
	}
	return found
}

// codeOf returns the spans and blocks of code of a tree, in order.
func codeOf(root ast.Node) (found []span) {
	add := func(s text.Segment) { found = append(found, span{s.Start, s.Stop}) }
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			for part := n.FirstChild(); part != nil; part = part.NextSibling() {
				if part, ok := part.(*ast.Text); ok {
					add(part.Segment)
				}
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				add(n.Lines().At(i))
			}
		}
		return ast.WalkContinue, nil
	})
	return found
}

// outside returns the parts of a text of a length that are between others.
func outside(parts []span, length int) (found []span) {
	at := 0
	for _, s := range parts {
		found = append(found, span{at, max(at, s.start)})
		at = max(at, s.end)
	}
	return append(found, span{at, length})
}

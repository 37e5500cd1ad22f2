package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// parse returns the syntax tree of a text, and the source that it points into; nil if that would
// take long.
func parse(markdown string) (root ast.Node, source []byte) {
	if isCostly(markdown) {
		return nil, nil
	}
	source = []byte(markdown)
	return converter().Parser().Parse(text.NewReader(source)), source
}

// gap stands in a passage for what is not its text: code, an image, the edge of an emphasis.
const gap = "\x00"

// A passage is what people read in a paragraph, heading or cell of a table, without code. A link to
// the web is its URL between gaps, and another link is a gap. Punctuation after a backslash has
// lost it, except for the marks of references.
type passage struct {
	text  string
	leads bool // it is a paragraph that is neither in a list nor in a quote
	// where each byte of the text stands in the source; -1 for gaps, URLs and line breaks
	at []int
}

// passages returns the passages of a text in order, and none of a costly one. HTML blocks have
// none.
func passages(markdown string) []passage {
	root, source := parse(markdown)
	if root == nil {
		return nil
	}
	return passagesOf(root, source)
}

// passagesOf returns the passages of a tree in order.
func passagesOf(root ast.Node, source []byte) (found []passage) {
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *extension.TableCell:
			if entering {
				p := readable(n, source)
				_, isParagraph := n.(*ast.Paragraph)
				p.leads = isParagraph && n.Parent() == root
				found = append(found, p)
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}

// passageWriter makes a passage.
type passageWriter struct {
	text strings.Builder
	at   []int
}

// write adds what does not stand so in the source.
func (w *passageWriter) write(text string) {
	w.text.WriteString(text)
	for range len(text) {
		w.at = append(w.at, -1)
	}
}

// copy adds a part of the source. It leaves out the backslashes before punctuation that does not
// mark references.
func (w *passageWriter) copy(part text.Segment, source []byte) {
	for i := part.Start; i < part.Stop; i++ {
		if source[i] == '\\' && i+1 < part.Stop && strings.IndexByte(escapable, source[i+1]) >= 0 {
			i++
		}
		w.text.WriteByte(source[i])
		w.at = append(w.at, i)
	}
}

// escapable is the punctuation that loses the backslash before it.
const escapable = "\\\"$'()*+,./:;<=>?[]^_`{|}-"

// readable returns a passage.
func readable(block ast.Node, source []byte) passage {
	var out passageWriter
	var codes int // HTML elements around, whose text is code
	_ = ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering && codes == 0 {
				out.copy(n.Segment, source)
			}
			if entering && (n.SoftLineBreak() || n.HardLineBreak()) {
				out.write("\n")
			}
		case *ast.RawHTML:
			if !entering {
				break
			}
			codes = max(codes+codeChange(string(n.Segments.Value(source))), 0)
			out.write(gap)
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan, *ast.Image:
			out.write(gap)
			return ast.WalkSkipChildren, nil
		case *ast.AutoLink:
			out.write(gap + address(n.URL(source)) + gap)
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			out.write(gap + address(n.Destination) + gap)
			return ast.WalkSkipChildren, nil
		default:
			if n != block {
				out.write(gap)
			}
		}
		return ast.WalkContinue, nil
	})
	return passage{text: out.text.String(), at: out.at}
}

// address returns the destination of a link if it is an http or https URL.
func address(destination []byte) string {
	if webAddress.Match(destination) {
		return string(destination)
	}
	return ""
}

var webAddress = regexp.MustCompile(`(?i)^https?://[^/]`)

var codeTag = regexp.MustCompile(`(?i)^<(/?)(?:code|pre|tt|a)\b`)

// codeChange returns 1 for a tag that begins code or a link, -1 for one that ends it, otherwise 0.
func codeChange(tag string) int {
	switch m := codeTag.FindStringSubmatch(tag); {
	case m == nil:
		return 0
	case m[1] == "":
		return 1
	}
	return -1
}

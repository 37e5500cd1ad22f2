package view

import (
	"fmt"
	"io"
	"strings"

	"hew/reconcile/addr"
)

// dot is the language of Graphviz. Ids are always quoted, so that an address
// may be one, whatever is in it.
type dot struct{}

var dotShapes = map[addr.Mode]string{addr.Resource: "box", addr.Data: "ellipse", addr.Exclusive: "hexagon"}

// dotQuote quotes an id or a label. In labels a backslash begins an escape, so
// it is doubled in both; a quote is all that ends a text.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func (dot) begin(w io.Writer) {
	fmt.Fprint(w, "digraph hew {\n  rankdir = LR\n  node [fontname = \"sans-serif\"]\n")
}

func (dot) node(w io.Writer, indent string, v vertex) {
	fmt.Fprintf(w, "%s%s [label = %s, shape = %s]\n", indent, dotQuote(v.Block.String()), dotQuote(v.label()),
		dotShapes[v.Mode])
}

// The name of a subgraph has to begin with cluster for a frame to be drawn.
func (dot) module(w io.Writer, indent string, c *cluster) {
	fmt.Fprintf(
		w, "%ssubgraph %s {\n%s  label = %s\n", indent, dotQuote("cluster "+c.address()), indent, dotQuote(c.address()),
	)
}

func (dot) shut(w io.Writer, indent string) { fmt.Fprintf(w, "%s}\n", indent) }

func (dot) edge(w io.Writer, from, to vertex) {
	fmt.Fprintf(w, "  %s -> %s\n", dotQuote(from.Block.String()), dotQuote(to.Block.String()))
}

func (dot) end(w io.Writer) { fmt.Fprint(w, "}\n") }

// mermaid is the language of diagrams in Markdown. Its ids may hold little and
// be no word of its own, so they are numbers with a letter before.
type mermaid struct{}

var mermaidShapes = map[addr.Mode][2]string{
	addr.Resource: {"[", "]"}, addr.Data: {"([", "])"}, addr.Exclusive: {"{{", "}}"},
}

// mermaidQuote quotes a label. What Mermaid or HTML could take for its own is
// written as a character reference.
func mermaidQuote(s string) string {
	return `"` + strings.NewReplacer(`"`, "#quot;", "#", "#35;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;",
		"\n", " ").Replace(s) + `"`
}

func (mermaid) begin(w io.Writer) { fmt.Fprint(w, "flowchart LR\n") }

func (mermaid) node(w io.Writer, indent string, v vertex) {
	shape := mermaidShapes[v.Mode]
	fmt.Fprintf(w, "%sn%d%s%s%s\n", indent, v.n, shape[0], mermaidQuote(v.label()), shape[1])
}

func (mermaid) module(w io.Writer, indent string, c *cluster) {
	fmt.Fprintf(w, "%ssubgraph m%d [%s]\n", indent, c.n, mermaidQuote(c.address()))
}

func (mermaid) shut(w io.Writer, indent string) { fmt.Fprintf(w, "%send\n", indent) }

func (mermaid) edge(w io.Writer, from, to vertex) { fmt.Fprintf(w, "  n%d --> n%d\n", from.n, to.n) }

func (mermaid) end(io.Writer) {}

package view

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// awkward are names that a graph's language could take for its own.
var awkward = []string{
	`quote"s`, `back\slash`, "graph", "end", "a-b", "größe", `x"] -> y`, "`tick`", "<b>&#1;", "two\nlines",
}

func awkwardGraph() (all []config.Dependency) {
	for i, name := range awkward {
		d := config.Dependency{Block: addr.Block{Kind: "group", Name: name, Mode: addr.Mode(i % 3)}}
		if i%2 == 1 {
			d.Block.Module = "web." + name
		}
		for _, before := range all {
			d.DependsOn = append(d.DependsOn, before.Block)
		}
		all = append(all, d)
	}
	return all
}

// TestDot reads what is written for Graphviz by the rules of its grammar:
// every id is quoted, every statement is one of three, every brace is shut.
func TestDot(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	all := awkwardGraph()
	Draw(&b, dot{}, all)
	const id = `"((?:[^"\\]|\\.)*)"`
	var (
		begin   = regexp.MustCompile(`^(?:digraph hew|subgraph ` + id + `) \{$`)
		setting = regexp.MustCompile(`^(?:rankdir = LR|label = ` + id + `|node \[fontname = ` + id + `\])$`)
		node    = regexp.MustCompile(`^` + id + ` \[label = ` + id + `, shape = (box|ellipse|hexagon)\]$`)
		edge    = regexp.MustCompile(`^` + id + ` -> ` + id + `$`)
	)
	depth, edges := 0, 0
	nodes := map[string]bool{}
	for line := range strings.Lines(b.String()) {
		switch line = strings.TrimSpace(line); {
		case begin.MatchString(line):
			depth++
		case line == "}":
			depth--
		case setting.MatchString(line):
		case node.MatchString(line):
			nodes[node.FindStringSubmatch(line)[1]] = true
		case edge.MatchString(line):
			ends := edge.FindStringSubmatch(line)
			require.True(
				t, nodes[ends[1]] && nodes[ends[2]], "an arrow without its ends would make new nodes: %s", line,
			)
			edges++
		default:
			t.Errorf("not a statement: %s", line)
		}
		require.Positive(t, depth+strings.Count(line, "}"))
	}
	require.Zero(t, depth)
	require.Len(t, nodes, len(all))
	require.Equal(t, len(all)*(len(all)-1)/2, edges)
}

// TestMermaid: ids are plain and used for one thing, labels hold nothing that
// ends them.
func TestMermaid(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	all := awkwardGraph()
	Draw(&b, mermaid{}, all)
	var (
		node  = regexp.MustCompile("^(n\\d+)(?:\\[|\\(\\[|\\{\\{)\"[^\"`<>&\n]+\"(?:\\]|\\]\\)|\\}\\})$")
		begin = regexp.MustCompile("^subgraph (m\\d+) \\[\"[^\"`<>&\n]+\"\\]$")
		edge  = regexp.MustCompile(`^(n\d+) --> (n\d+)$`)
	)
	depth, edges := 0, 0
	ids := map[string]bool{}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Equal(t, "flowchart LR", lines[0])
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		declared := ""
		switch {
		case begin.MatchString(line):
			declared = begin.FindStringSubmatch(line)[1]
			depth++
		case line == "end":
			depth--
		case node.MatchString(line):
			declared = node.FindStringSubmatch(line)[1]
		case edge.MatchString(line):
			ends := edge.FindStringSubmatch(line)
			require.True(t, ids[ends[1]] && ids[ends[2]], line)
			edges++
		default:
			t.Errorf("not a statement: %s", line)
		}
		if declared != "" {
			require.False(t, ids[declared], "%s is declared twice", declared)
			ids[declared] = true
		}
	}
	require.Zero(t, depth)
	require.Equal(t, len(all)*(len(all)-1)/2, edges)
}

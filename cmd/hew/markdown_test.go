package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// wicked are texts that would be more than text in Markdown.
var wicked = []string{
	"@everyone", "x @alice, y", "<script>alert(1)</script>", "</summary></details>", "`code`", "``` \n```\n# out", "a ```` b", "a|b", "[x](https://evil.example.com)",
	"![x](y)", "/close", "x\n/close\n", "# heading", "acme/api#1", "group!7", "~label", "*bold*", "_em_", "a\\", "$$", "<!-- x", "&amp;", "www.example.com", "me@example.com", "`",
	"ends with `", "trailing\n\n\n", ":smile:", "- item", "1. item", "=====", "{{ x }}", "%1",
	"@all", "/merge", "x\r\n/approve", "-->", "--> @all", "<!-- hew plan 0 -->", "</details>\n\n/close", "# /close", "> /label ~x",
}

// dangerousPlan has a text wherever a plan has one.
func dangerousPlan(s string) *plan.Plan {
	at := at(hookKind, "ci", s, "")
	decl := &hcl.Range{Filename: s, Start: hcl.Pos{Line: 1, Column: 1}}
	member := at
	member.Kind, member.Key, member.Elem = "group_members", "", s
	list := cty.TupleVal([]cty.Value{str(s), str(s + "x")})
	return &plan.Plan{
		Changes: []plan.Change{
			{Addr: at, Action: plan.Update, Kind: hookKind, Title: s, Owner: s, Why: s, Cause: plan.ByDrift, Decl: decl, Paths: []plan.PathChange{
				path(hookKind, "url", str("x"), str(s), plan.ByDrift, s), path(hookKind, "branch_filter", str("a\nb\n"+s), list, plan.ByDrift, s),
			}},
			{Addr: member, Action: plan.Create, Kind: memberKind, After: object(memberKind, "", attrs{"expires_at": str(s)})},
			{Addr: at, Action: plan.Adopt, Kind: hookKind, Title: s, Owner: s, Before: object(hookKind, s, nil)},
			{Addr: at, Action: plan.Delete, Kind: hookKind, Title: s, Owner: s, Before: object(hookKind, s, nil)},
		},
		Guards:  []plan.Finding{{Code: "public", Text: s, Fix: s, Objects: []string{s}, Decl: decl}},
		Blocked: []config.Blocked{{Addr: at, Why: s, Decl: *decl}},
		Checks:  []config.Check{{Name: s, Verdict: config.Fails, Text: s, Decl: *decl}},
		Outputs: []config.Output{{Name: s, Value: list}},
		Notes:   []string{s},
		Strays:  []plan.Stray{{Object: schema.Object{Kind: hookKind, ID: s, Trace: &schema.Trace{Made: s, By: s}}, Title: s, Owner: s}},
	}
}

var (
	ours  = regexp.MustCompile(`<details>|</details>|<summary>|</summary>|<code>[^<>]*</code>|\*\*|(?m)^#{3,4} |^ *- `)
	alive = regexp.MustCompile("[@<>`|\\[\\]!#~*_$&\\\\]|:\\w+:|www\\.|\\{\\{|(?m)^\\s*(/|=+$|\\d+[.)] |[-+] )")
)

// inert is what is left of a document without its code and the markup that is ours.
func inert(t *testing.T, doc string) string {
	var left []string
	open := ""
	for line := range strings.SplitSeq(doc, "\n") {
		flush := strings.TrimPrefix(line, "  ") // within an item of a list
		switch run := backticks.FindString(line); {
		case open != "":
			if flush == open {
				open = ""
			}
		case len(run) >= 3 && (line == run+"diff" || flush == run+"hcl"):
			open = run
		case strings.HasPrefix(line, "<summary>"): // HTML up to the next empty line
			left = append(left, line)
		default:
			left = append(left, spans(t, line))
		}
	}
	require.Empty(t, open, "a fence that nothing ends")
	return ours.ReplaceAllString(strings.Join(left, "\n"), "")
}

// spans takes the code spans out of a line, as Markdown finds them.
func spans(t *testing.T, line string) string {
	for {
		at := backticks.FindStringIndex(line)
		if at == nil {
			return line
		}
		run, rest := line[at[0]:at[1]], line[at[1]:]
		end := -1
		for _, next := range backticks.FindAllStringIndex(rest, -1) {
			if rest[next[0]:next[1]] == run {
				end = next[1]
				break
			}
		}
		require.GreaterOrEqual(t, end, 0, "a span that nothing ends: %s", line)
		line = line[:at[0]] + rest[end:]
	}
}

// TestMarkdownIsInert: nothing that anybody wrote is markup, or calls anybody.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	for _, s := range wicked {
		for _, p := range []*plan.Plan{dangerousPlan(s), dangerousPlan("see " + s + ", or not")} {
			doc := reviewedIn(p, defaultBudget, false)
			harmless(t, doc)
			left := inert(t, doc)
			require.Empty(t, alive.FindAllString(left, -1), "%q\n%s\n%s", s, left, doc)
		}
	}
	require.NotEmpty(t, alive.FindAllString(inert(t, "- `x` @alice"), -1)) // it can fail
}

// TestMarkdownOrder: what goes is told first, then what opens something up.
func TestMarkdownOrder(t *testing.T) {
	t.Parallel()
	kind := *groupKind
	kind.Visible = "visibility"
	change := func(name string, action plan.Action, to string) plan.Change {
		return plan.Change{Addr: at(&kind, name, "", ""), Action: action, Kind: &kind, Paths: []plan.PathChange{path(&kind, "visibility", str("internal"), str(to), plan.ByConfig, "")}}
	}
	p := &plan.Plan{Changes: []plan.Change{
		change("adopted", plan.Adopt, "private"), change("closed", plan.Update, "private"), change("deleted", plan.Delete, "private"), change("opened", plan.Update, "public"),
		{Addr: at(&kind, "moved", "", ""), Action: plan.Move, Kind: &kind},
		{Addr: at(memberKind, "some", "", "bob"), Action: plan.Update, Kind: weighed, Paths: []plan.PathChange{path(weighed, "access_level", num(30), num(50), plan.ByConfig, "")}},
	}}
	var order []string
	for _, it := range byDanger(p, foldAt) {
		order = append(order, it.name)
	}
	require.Equal(t, []string{"group.deleted", "group.opened", "group_members.some", "group.adopted", "group.closed", "group.moved"}, order)
}

var weighed = func() *schema.Kind {
	k := *memberKind
	k.Weighs = "access_level"
	k.Attrs = append([]schema.Attr{}, k.Attrs...)
	k.Attr("access_level").Type = cty.Number
	return &k
}()

// large is a plan of n changes, of which a guard stops some and ten are deletions,
// in between.
func large(n int) *plan.Plan {
	p := &plan.Plan{Guards: []plan.Finding{{Code: plan.MassDelete, Text: "10 of 12 groups would be deleted.", Fix: "Raise max_deletes.", Objects: []string{"group.g999"}}}}
	for i := range n {
		c := plan.Change{Addr: at(groupKind, fmt.Sprintf("g%d", i), "", ""), Action: plan.Update, Kind: groupKind, Title: fmt.Sprintf("acme/g%d", i),
			Paths: []plan.PathChange{path(groupKind, "description", str("before"), str(strings.Repeat("after ", 20)+"```"), plan.ByConfig, "")}}
		if i%(n/10) == n/10-1 {
			c.Action, c.Paths = plan.Delete, nil
		}
		p.Changes = append(p.Changes, c)
	}
	return p
}

var cutShort = regexp.MustCompile(`(?m)^- … (\d+) more$`)

// leftOut is how many lines a document says are missing, section by section.
func leftOut(t *testing.T, doc string) (n int) {
	for _, m := range cutShort.FindAllStringSubmatch(doc, -1) {
		missing, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		n += missing
	}
	if n > 0 {
		require.Contains(t, doc, count(n, "line is", "lines are")+" left out")
	}
	return n
}

// whole makes sure that nothing in a document is left open.
func whole(t *testing.T, doc string) {
	open := ""
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		switch run := line[:len(line)-len(strings.TrimLeft(line, "`"))]; {
		case open != "" && line == open:
			open = ""
		case open == "" && len(run) >= 3 && !strings.Contains(line[len(run):], "`"):
			open = run
		}
	}
	require.Empty(t, open, "a fence that nothing ends")
	require.Equal(t, strings.Count(doc, "<details>"), strings.Count(doc, "</details>"))
	require.True(t, strings.HasSuffix(doc, "\n"))
	require.True(t, utf8.ValidString(doc))
}

// TestBudget: however much there is, the document fits, says how much is left
// out, and has what stops the plan, and the deletions.
func TestBudget(t *testing.T) {
	t.Parallel()
	const n = 10_000
	m := &markdown{err: console{Writer: io.Discard}, command: "plan"}
	m.Plan(large(n))
	last := 0
	for _, budget := range []int{leastBudget, leastBudget + 1, 5_000, 20_000, 64_000, 500_000, defaultBudget, 10_000_000} {
		m.budget = budget
		doc := m.document()
		require.LessOrEqual(t, len(doc), budget)
		whole(t, doc)
		require.Contains(t, doc, "Guard `mass-delete`", budget)
		require.Contains(t, doc, "Raise", budget)
		require.Equal(t, 10, strings.Count(doc, "`- group."), budget)
		require.Less(t, strings.Index(doc, "mass-delete"), strings.Index(doc, "`- group."))
		shown := strings.Count(doc, "acme/g")
		require.Equal(t, n, shown+leftOut(t, doc), budget)
		require.GreaterOrEqual(t, shown, last, "more room, less told")
		last = shown
		folded := strings.Count(doc, "<details>")
		require.Equal(t, folded < n-10 && shown > folded+10, strings.Contains(doc, "shown without attributes"), budget)
	}
	require.Equal(t, n, last)
	require.NotContains(t, reviewedIn(plans["sample"], defaultBudget, true), "<details>")
}

// TestBudgetOfDirectories: what is grave in one directory has room before what is
// not in others, and directories that have none are counted.
func TestBudgetOfDirectories(t *testing.T) {
	t.Parallel()
	in := func(budget, n int, plans func(i int) *plan.Plan) string {
		m := &markdown{err: console{Writer: io.Discard}, command: "plan", budget: budget}
		for i := range n {
			m.Directory(fmt.Sprintf("infra/%d/", i)+strings.Repeat("long", 100), 0)
			m.Plan(plans(i))
		}
		doc := m.document()
		require.LessOrEqual(t, len(doc), budget)
		whole(t, doc)
		return doc
	}
	for _, budget := range []int{leastBudget, 5_000, 50_000} {
		doc := in(budget, 300, func(i int) *plan.Plan {
			if i == 250 {
				return plans["trouble"]
			}
			return plans["nothing"]
		})
		shown := strings.Count(doc, "### `infra/")
		require.Less(t, shown, 300)
		require.Contains(t, doc, "`infra/250/")
		require.Contains(t, doc, count(300-shown, "directory is", "directories are")+" left out")
	}
	for _, budget := range []int{5_000, 50_000} {
		doc := in(budget, 3, func(int) *plan.Plan { return large(1_000) })
		require.Equal(t, 3, strings.Count(doc, "Guard `mass-delete`"), budget)
		require.Equal(t, 30, strings.Count(doc, "`- group."), budget)
		require.Equal(t, 3_000, strings.Count(doc, "acme/g")+leftOut(t, doc), budget)
	}
}

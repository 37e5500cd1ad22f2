package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

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

// TestBudget: however much there is, the document fits, says how much is left
// out, and has the deletions.
func TestBudget(t *testing.T) {
	t.Parallel()
	const n = 10_000
	p := &plan.Plan{Applyable: true}
	for i := range n {
		c := plan.Change{Addr: at(groupKind, fmt.Sprintf("g%d", i), "", ""), Action: plan.Update, Kind: groupKind, Title: fmt.Sprintf("acme/g%d", i),
			Paths: []plan.PathChange{path(groupKind, "description", str("before"), str(strings.Repeat("after ", 20)), plan.ByConfig, "")}}
		if i%1000 == 999 {
			c.Action, c.Paths = plan.Delete, nil
		}
		p.Changes = append(p.Changes, c)
	}
	for _, budget := range []int{leastBudget, 20_000, defaultBudget, 10_000_000} {
		doc := reviewedIn(p, budget, false)
		require.LessOrEqual(t, len(doc), budget)
		require.Equal(t, 10, strings.Count(doc, "`- group."), budget)
		told := strings.Count(doc, "group.g")
		_, more, cut := strings.Cut(doc, "- … ")
		missing := 0
		if cut {
			_, err := fmt.Sscanf(more, "%d more", &missing)
			require.NoError(t, err)
			require.Contains(t, doc, fmt.Sprintf("%s left out", counted(missing, "line is", "lines are")))
		}
		require.Equal(t, n, told+missing, budget)
		folded := strings.Count(doc, "<details>")
		require.Equal(t, folded < n-10, strings.Contains(doc, "shown without attributes"), budget)
	}
	require.NotContains(t, reviewedIn(plans["sample"], defaultBudget, true), "<details>")
}

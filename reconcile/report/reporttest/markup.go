package reporttest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/guard"
	"hew/reconcile/plan"
	"hew/schema"
)

// Wicked are texts that would be more than text in Markdown.
var Wicked = []string{
	"@everyone", "x @alice, y", "<script>alert(1)</script>", "</summary></details>", "`code`", "``` \n```\n# out",
	"a ```` b", "a|b", "[x](https://evil.example.com)",
	"![x](y)", "/close", "x\n/close\n", "# heading", "acme/api#1", "group!7", "~label", "*bold*", "_em_", "a\\", "$$",
	"<!-- x", "&amp;", "www.example.com", "me@example.com", "`",
	"ends with `", "trailing\n\n\n", ":smile:", "- item", "1. item", "=====", "{{ x }}", "%1",
	"@all", "/merge", "x\r\n/approve", "-->", "--> @all", "<!-- hew plan 0 -->", "</details>\n\n/close", "# /close",
	"> /label ~x",
}

// DangerousPlan returns a plan in which every text is s.
func DangerousPlan(s string) *plan.Plan {
	at := At(HookKind, "ci", s, "")
	decl := &hcl.Range{Filename: s, Start: hcl.Pos{Line: 1, Column: 1}}
	member := at
	member.Kind, member.Key, member.Elem = "group_members", "", s
	list := cty.TupleVal([]cty.Value{Str(s), Str(s + "x")})
	return &plan.Plan{
		Changes: []plan.Change{
			{Addr: at, Action: plan.Update, Kind: HookKind, Title: s, Owner: s, Why: s, Cause: plan.ByDrift, Decl: decl,
				Paths: []plan.PathChange{
					Path(HookKind, "url", Str("x"), Str(s), plan.ByDrift, s),
					Path(HookKind, "branch_filter", Str("a\nb\n"+s), list, plan.ByDrift, s),
				}},
			{Addr: member, Action: plan.Create, Kind: MemberKind,
				After: object(MemberKind, "", attrs{"expires_at": Str(s)})},
			{Addr: at, Action: plan.Adopt, Kind: HookKind, Title: s, Owner: s, Before: object(HookKind, s, nil)},
			{Addr: at, Action: plan.Delete, Kind: HookKind, Title: s, Owner: s, Before: object(HookKind, s, nil)},
		},
		Guards:  []plan.Finding{{Code: "public", Text: s, Fix: s, Objects: []string{s}, Decl: decl}},
		Blocked: []config.Blocked{{Addr: at, Reason: s, DeclRange: *decl}},
		Checks:  []config.Check{{Name: s, Verdict: config.CheckFailed, Text: s, DeclRange: *decl}},
		Outputs: []config.Output{{Name: s, Value: list}},
		Notes:   []string{s},
		Undeclared: []plan.Undeclared{
			{Object: schema.Object{Kind: HookKind, ID: s, Trace: &schema.Trace{Made: s, By: s}}, Title: s, Owner: s},
		},
	}
}

// Large is a plan of n changes, of which a guard stops some and ten are deletions,
// in between.
func Large(n int) *plan.Plan {
	p := &plan.Plan{Guards: []plan.Finding{{Code: guard.MassDelete, Text: "10 of 12 groups would be deleted.",
		Fix: "Raise max_deletes.", Objects: []string{"group.g999"}}}}
	for i := range n {
		c := plan.Change{Addr: At(GroupKind, fmt.Sprintf("g%d", i), "", ""), Action: plan.Update, Kind: GroupKind,
			Title: fmt.Sprintf("acme/g%d", i),
			Paths: []plan.PathChange{Path(GroupKind, "description", Str("before"),
				Str(strings.Repeat("after ", 20)+fmt.Sprint(i)+"```"), plan.ByConfig, "")}}
		if i%(n/10) == n/10-1 {
			c.Action, c.Paths = plan.Delete, nil
		}
		p.Changes = append(p.Changes, c)
	}
	return p
}

var (
	ticks = regexp.MustCompile("`+")
	ours  = regexp.MustCompile(`<details>|</details>|<summary>|</summary>|<code>[^<>]*</code>|\*\*|(?m)^#{3,4} |^ *- `)
	Alive = regexp.MustCompile("[@<>`|\\[\\]!#~*_$&\\\\]|:\\w+:|www\\.|\\{\\{|(?m)^\\s*(/|=+$|\\d+[.)] |[-+] )")
)

// Inert is what is left of a document without its code and the markup that is ours.
func Inert(t *testing.T, doc string) string {
	var left []string
	open := ""
	for line := range strings.SplitSeq(doc, "\n") {
		flush := strings.TrimPrefix(line, "  ") // within an item of a list
		switch run := ticks.FindString(line); {
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
		at := ticks.FindStringIndex(line)
		if at == nil {
			return line
		}
		run, rest := line[at[0]:at[1]], line[at[1]:]
		end := -1
		for _, next := range ticks.FindAllStringIndex(rest, -1) {
			if rest[next[0]:next[1]] == run {
				end = next[1]
				break
			}
		}
		require.GreaterOrEqual(t, end, 0, "a span that nothing ends: %s", line)
		line = line[:at[0]] + rest[end:]
	}
}

package view

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

// TestGroupsInsteadOfLines: a plan of 2,000 changes is a screen or two of text, not 2,000 lines,
// and all of them where somebody asks for that.
func TestGroupsInsteadOfLines(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*plan.Plan{"equal": reporttest.Equal(2_000), "a year": reporttest.Year(2_000)} {
		text := rendered(p, Text{})
		require.Less(t, strings.Count(text, "\n"), 200, name)
		require.Contains(t, text, " × group", name)
		require.Contains(t, text, "-verbose shows each change", name)
		whole := rendered(p, Text{Detail: report.Whole})
		require.NotContains(t, whole, "×")
		require.NotContains(t, whole, "… ")
		for i := range p.Changes {
			require.Contains(t, whole, p.Changes[i].Addr.Block.String())
		}
	}
	text := rendered(reporttest.Equal(60), Text{})
	require.Contains(t, text, "  ~ 60 × group\n      visibility        \"internal\" -> \"private\"     config\n"+
		"      group.all[\"acme/team-0000\"], group.all[\"acme/team-0001\"], group.all[\"acme/team-0002\"] and 57 "+
		"more\n")
}

// TestSmallPlansStayAsTheyAre: what can be read at a glance is neither grouped nor counted.
func TestSmallPlansStayAsTheyAre(t *testing.T) {
	t.Parallel()
	text := rendered(reporttest.Equal(2), Text{})
	require.Equal(t, "~ update\n\n"+`  ~ group.all["acme/team-0000"]                     acme/team-0000
      visibility        "internal" -> "private"     config
  ~ group.all["acme/team-0001"]                     acme/team-0001
      visibility        "internal" -> "private"     config
Plan: 0 to create, 2 to update, 0 to adopt, 0 to delete.  0 requests, 0.0 s.
`, text)
}

// TestWiderAccessHasAHeading: text and Markdown tell what gives somebody more apart from the rest,
// as the page does.
func TestWiderAccessHasAHeading(t *testing.T) {
	t.Parallel()
	p := reporttest.Plans["opened"]
	require.Contains(t, rendered(p, Text{}), "\n\n"+report.OpensHeading+":\n  ")
	require.Contains(t, reviewedIn(p, DefaultBudget, false), "#### "+report.OpensHeading+": 2\n")
}

// TestSetsThatLoseMembers: however short a plan is told, a set says how many of it go, and Markdown
// names ten of them; the heading counts them as the summary does.
func TestSetsThatLoseMembers(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{Sizes: map[schema.Collection]int{{}: 40}, Guards: []plan.Finding{{Code: "mass-delete"}}}
	for i := range 27 {
		at := reporttest.At(reporttest.MemberKind, "all", "", fmt.Sprintf("u%02d", i))
		p.Changes = append(p.Changes, plan.Change{Addr: at, Kind: reporttest.MemberKind, Action: plan.Delete})
		p.Guards[0].Objects = append(p.Guards[0].Objects, at.String())
	}
	require.Contains(t, rendered(p, Text{Compact: true}), "27 of 40 members: -27\n")
	short := reviewedIn(p, LeastBudget, true)
	require.Contains(t, short, "Deletions and replacements: 27\n\n- `~ group_members.all` 27 of 40 members: `-27`\n"+
		"  - `group_members.all[\"u00\"]`\n")
	whole := reviewedIn(p, DefaultBudget, false)
	before, _, _ := strings.Cut(whole, "<details>")
	require.NotContains(t, before, "u10", "a guard names ten, the rest is folded")
	require.Contains(t, whole, "<summary>17 more</summary>")
	require.Contains(t, rendered(p, Text{}), "~ set changes  - delete\n", "nothing is updated")

	created := reporttest.At(reporttest.MemberKind, "all", "", "eve")
	p.Changes = append(p.Changes, plan.Change{Addr: created, Kind: reporttest.MemberKind, Action: plan.Create})
	require.Contains(t, reviewedIn(p, DefaultBudget, false),
		"Deletions and replacements: 27, and 1 other change of the same sets\n", "as many as the summary counts")
}

// updates returns updates of that many groups in each of the blocks.
func updates(n int, blocks ...string) *plan.Plan {
	p := &plan.Plan{Applyable: true}
	for i := range n {
		for _, block := range blocks {
			key := fmt.Sprintf("t%03d", i)
			p.Changes = append(p.Changes, plan.Change{Addr: reporttest.At(reporttest.GroupKind, block, key, ""),
				Action: plan.Update, Kind: reporttest.GroupKind, Title: block + "/" + key, Cause: plan.ByConfig,
				Paths: []plan.PathChange{reporttest.Path(reporttest.GroupKind, "visibility",
					reporttest.Str("internal"), reporttest.Str("private"), plan.ByConfig, "")}})
		}
	}
	return p
}

// TestGroupsNameTheirBlocks: a group that hides names says of how many blocks it is.
func TestGroupsNameTheirBlocks(t *testing.T) {
	t.Parallel()
	p := updates(5, "teams", "guests")
	require.Contains(t, rendered(p, Text{}), "\n      of group.teams 5, group.guests 5\n      group.teams[\"t000\"], ")
	require.Contains(t, reviewedIn(p, DefaultBudget, true), " and 7 more (`group.teams` 5, `group.guests` 5)\n")
	require.NotContains(t, rendered(updates(5, "teams"), Text{}), "of group.teams")
	require.NotContains(t, rendered(updates(1, "a", "b", "c", "d", "e"), Text{}), "of group.a")
}

// TestBudgetOfGroups: a group without room for all its members names fifty, and one without room
// for these is counted by its objects.
func TestBudgetOfGroups(t *testing.T) {
	t.Parallel()
	p := updates(1_000, "teams_of_the_company")
	require.Equal(t, 1_000, strings.Count(reviewedIn(p, DefaultBudget, false), "\n- `group.teams_"))
	some := reviewedIn(p, 4_000, false)
	require.Equal(t, 50, strings.Count(some, "\n- `group.teams_"))
	require.Contains(t, some, "\n- … 950 more\n")
	require.Contains(t, some, "\nTo fit into the budget, 950 objects are not named. `hew plan -verbose` on")
	require.Contains(t, reviewedIn(p, LeastBudget, false), "\nTo fit into the budget, 1000 objects are shown without "+
		"attributes. `hew plan -verbose` on a terminal prints all, and")
}

// TestLegend: the signs of a plan are explained once in every view, and no other ones.
func TestLegend(t *testing.T) {
	t.Parallel()
	p := reporttest.Plans["equal"]
	text, doc, page := rendered(p, Text{}), reviewedIn(p, DefaultBudget, false), readSheet(t, browsed(t, p))
	require.Equal(t, 1, strings.Count(text, "+ create  ~ update  - delete\n"))
	require.Equal(t, 1, strings.Count(doc, "\n`+` create, `~` update, `-` delete\n"))
	for _, name := range []string{"create", "update", "delete"} {
		require.Contains(t, page.text["button"], name)
	}
	for _, all := range []string{text, doc, page.text["button"]} {
		require.NotContains(t, all, "adopt  ")
		require.NotContains(t, all, "release")
	}
}

// TestErrorsAboveWarnings: in every view errors stand above warnings, in whatever order they came.
func TestErrorsAboveWarnings(t *testing.T) {
	t.Parallel()
	d := recorded(reporttest.Plans["trouble"])
	d.Diagnostics = []report.Diagnostic{
		{Severity: "warning", Summary: "Some warning"}, {Severity: "error", Summary: "Some error"},
	}
	var out strings.Builder
	people := Console{Writer: &out}
	(&Text{Console: people, Err: people, Command: "plan"}).Show(d)
	views := map[string]string{
		"text": out.String(), "markdown": markdownOf(d, Source{}), "html": pageOf(t, d, Source{}),
	}
	for name, told := range views {
		first, second := strings.Index(told, "Some error"), strings.Index(told, "Some warning")
		require.True(t, first >= 0 && first < second, "%s\n%s", name, told)
		if name != "text" { // there diagnostics are told of before there is a plan
			require.Less(t, strings.LastIndex(told, "mass-delete"), second, name)
		}
	}
}

// markdownOf is the Markdown of a document that was written down.
func markdownOf(d *report.Document, of Source) string {
	m := &Markdown{Err: Console{Writer: io.Discard}, Command: d.Command, Budget: DefaultBudget, Source: of}
	m.Show(d)
	return m.Document()
}

// pageOf is the page of a document that was written down.
func pageOf(t *testing.T, d *report.Document, of Source) string {
	t.Helper()
	var b strings.Builder
	v := NewHTML(&b, Console{Writer: io.Discard}, HTMLOptions{Command: d.Command, Version: "dev", Source: of})
	v.Show(d)
	require.NoError(t, v.Close())
	return b.String()
}

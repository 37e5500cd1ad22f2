package view

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

// TestMarkdownIsInert: nothing that anybody wrote is markup, or calls anybody.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	for _, s := range reporttest.Wicked {
		for _, p := range []*plan.Plan{reporttest.DangerousPlan(s), reporttest.DangerousPlan("see " + s + ", or not")} {
			doc := reviewedIn(p, DefaultBudget, false)
			reporttest.Harmless(t, doc)
			left := reporttest.Inert(t, doc)
			require.Empty(t, reporttest.Alive.FindAllString(left, -1), "%q\n%s\n%s", s, left, doc)
		}
	}
	require.NotEmpty(t, reporttest.Alive.FindAllString(reporttest.Inert(t, "- `x` @alice"), -1)) // it can fail
}

// TestWholeExpressionsAreCode: what somebody may paste is code from its first word to its last.
func TestWholeExpressionsAreCode(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		`put lifecycle { allow = ["mass-delete"] } on it (or removed { from = ADDRESS }), or not`: "put " +
			"`lifecycle { allow = [\"mass-delete\"] }` on it (or `removed { from = ADDRESS }`), or not",
		`raise it in hew { guards { … } }.`: "raise it in `hew { guards { … } }`.",
		`set path = "b c" and go`:           "set `path = \"b c\"` and go",
		`set path = "b`:                     "set path = \"b",
		`one { two`:                         "one { two",
		`l-&lt;b&gt; of x_y;`:               "`l-&lt;b&gt;` of `x_y`;",
	} {
		require.Equal(t, want, Plainly(said, Verbatim))
	}
}

// TestMarkdownOrder: what goes is told first, then what opens something up.
func TestMarkdownOrder(t *testing.T) {
	t.Parallel()
	kind := reporttest.WithOpens(reporttest.GroupKind, "visibility", reporttest.WiderVisibility)
	change := func(name string, action plan.Action, to string) plan.Change {
		return plan.Change{Addr: reporttest.At(kind, name, "", ""), Action: action, Kind: kind,
			Paths: []plan.PathChange{
				reporttest.Path(kind, "visibility", reporttest.Str("internal"), reporttest.Str(to), plan.ByConfig, ""),
			}}
	}
	p := &plan.Plan{Changes: []plan.Change{
		change("adopted", plan.Adopt, "private"), change("closed", plan.Update, "private"),
		change("deleted", plan.Delete, "private"), change("opened", plan.Update, "public"),
		{Addr: reporttest.At(kind, "moved", "", ""), Action: plan.Move, Kind: kind},
		{Addr: reporttest.At(reporttest.MemberKind, "some", "", "bob"), Action: plan.Update, Kind: weighed,
			Paths: []plan.PathChange{
				reporttest.Path(weighed, "access_level", reporttest.Num(30), reporttest.Num(50), plan.ByConfig, ""),
			}},
	}}
	var order []string
	for _, it := range report.ByDanger(recorded(p)) {
		order = append(order, it.Name)
	}
	require.Equal(t, []string{"group.deleted", "group.opened", "group_members.some", "group.adopted", "group.closed",
		"group.moved"}, order)
}

var weighed = func() *schema.Kind {
	k := reporttest.WithOpens(reporttest.MemberKind, "access_level", reporttest.HigherLevel)
	k.Members = &schema.Membership{Who: "user", Level: "access_level"}
	k.Attr("access_level").Type = cty.Number
	return k
}()

var cutShort = regexp.MustCompile(`(?m)^- … (\d+) more$`)

// leftOut is how many lines a document says are missing, section by section.
func leftOut(t *testing.T, doc string) (n int) {
	for _, m := range cutShort.FindAllStringSubmatch(doc, -1) {
		missing, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		n += missing
	}
	if n > 0 {
		require.Contains(t, doc, prose.Count(n, "line is", "lines are")+" left out")
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
	m := &Markdown{Err: Console{Writer: io.Discard}, Command: "plan"}
	m.Plan(recorded(reporttest.Large(n)))
	last := 0
	for _, budget := range []int{LeastBudget, LeastBudget + 1, 5_000, 20_000, 64_000, 500_000, DefaultBudget,
		10_000_000} {
		m.Budget = budget
		doc := m.Document()
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
	require.NotContains(t, reviewedIn(reporttest.Plans["sample"], DefaultBudget, true), "<details>")
}

// TestBudgetOfDirectories: what is grave in one directory has room before what is
// not in others, and directories that have none are counted.
func TestBudgetOfDirectories(t *testing.T) {
	t.Parallel()
	in := func(budget, n int, plans func(i int) *plan.Plan) string {
		m := &Markdown{Err: Console{Writer: io.Discard}, Command: "plan", Budget: budget}
		for i := range n {
			m.Directory(fmt.Sprintf("infra/%d/", i)+strings.Repeat("long", 100), 0)
			m.Plan(recorded(plans(i)))
		}
		doc := m.Document()
		require.LessOrEqual(t, len(doc), budget)
		whole(t, doc)
		return doc
	}
	for _, budget := range []int{LeastBudget, 5_000, 50_000} {
		doc := in(budget, 300, func(i int) *plan.Plan {
			if i == 250 {
				return reporttest.Plans["trouble"]
			}
			return reporttest.Plans["nothing"]
		})
		shown := strings.Count(doc, "### `infra/")
		require.Less(t, shown, 300)
		require.Contains(t, doc, "`infra/250/")
		require.Contains(t, doc, prose.Count(300-shown, "directory is", "directories are")+" left out")
	}
	for _, budget := range []int{5_000, 50_000} {
		doc := in(budget, 3, func(int) *plan.Plan { return reporttest.Large(1_000) })
		require.Equal(t, 3, strings.Count(doc, "Guard `mass-delete`"), budget)
		require.Equal(t, 30, strings.Count(doc, "`- group."), budget)
		require.Equal(t, 3_000, strings.Count(doc, "acme/g")+leftOut(t, doc), budget)
	}
}

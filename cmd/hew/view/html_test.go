package view

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"hew/reconcile/apply"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/reconcile/report/reporttest"
)

// browsed is the page of a plan.
func browsed(t testing.TB, p *plan.Plan) string { return browsedAs(t, p, HTMLOptions{}) }

// browsedAs is the page of a plan with options.
func browsedAs(t testing.TB, p *plan.Plan, of HTMLOptions) string {
	var b bytes.Buffer
	of.Command, of.Version = commandOf(p), "dev"
	v := NewHTML(&b, Console{Writer: io.Discard}, of)
	v.Plan(recorded(p))
	require.NoError(t, v.Close())
	return b.String()
}

// allowed are the elements of a page, and the attributes that each of them may have.
var allowed = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "link": "rel href", "style": "",
	"script": "", "body": "",
	"a": "class href aria-label", "header": "", "h1": "", "h2": "", "h3": "", "h4": "", "main": "id tabindex",
	"section": "class id", "footer": "",
	"form": "id role", "label": "class", "select": "id", "option": "value",
	"input":  "id type placeholder aria-label aria-keyshortcuts autocomplete spellcheck",
	"button": "type disabled aria-pressed data-f value class id hidden", "output": "id aria-live", "kbd": "",
	"p": "class id hidden", "b": "", "code": "",
	"div": "class id tabindex role aria-label hidden data-a data-c data-g", "span": "class hidden",
	"i": "class role aria-label aria-hidden", "ul": "class", "li": "", "pre": "",
	"details": "class id open data-p data-a data-c data-g", "summary": "", "table": "class", "thead": "",
	"tbody": "id data-a data-c data-g",
	"th":    "scope rowspan class", "tr": "class", "td": "class colspan", "del": "", "ins": "",
}

// sheet is a page as a browser reads it.
type sheet struct {
	ids, links, markup []string // markup is what may not be there
	text               map[string]string
	policy             string
}

func readSheet(t *testing.T, page string) sheet {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	s := sheet{text: map[string]string{}}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			s.markup = append(s.markup, "<!-- "+n.Data)
		}
		if n.Type == html.TextNode {
			s.text[n.Parent.Data] += n.Data
		}
		if n.Type != html.ElementNode {
			continue
		}
		names, known := allowed[n.Data]
		if !known {
			s.markup = append(s.markup, n.Data)
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				s.ids = append(s.ids, a.Val)
			case "href":
				s.links = append(s.links, a.Val)
			case "content":
				if s.policy == "" {
					s.policy = a.Val
				}
			}
			if !slices.Contains(strings.Fields(names), a.Key) {
				s.markup = append(s.markup, n.Data+" "+a.Key)
			}
		}
	}
	return s
}

// TestWebTellsAll: every change of a plan is on the page once, by its address, and the
// page lets nothing in but its own style and script.
func TestWebTellsAll(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := browsed(t, p)
			require.NotContains(t, page, reporttest.Leak)
			reporttest.Harmless(t, page)
			s := readSheet(t, page)
			require.Empty(t, s.markup)
			require.Equal(t, fmt.Sprintf("default-src 'none'; img-src data:; style-src %s; script-src %s; base-uri "+
				"'none'; form-action 'none'",
				hashed(s.text["style"]), hashed(s.text["script"])), s.policy)
			told := map[string]int{}
			for _, id := range s.ids {
				told[id]++
				require.Equal(t, 1, told[id], "%s is there twice", id)
			}
			n := 0
			for i := range p.Changes {
				if c := &p.Changes[i]; c.Action != plan.NoOp {
					n++
					require.Equal(t, 1, told[prose.Clean(c.Addr.String())], c.Addr)
				}
			}
			if n > 0 {
				require.Equal(t, prose.Count(n, "change"), s.text["output"])
			}
			require.Contains(t, s.text["h1"], recorded(p).Total())
			for _, to := range s.links {
				require.Regexp(t, `^(#.*|data:,)$`, to)
			}
		})
	}
}

// TestWebIsInert: whatever anybody has written stays text.
func TestWebIsInert(t *testing.T) {
	t.Parallel()
	tame := readSheet(t, browsed(t, reporttest.DangerousPlan("tame")))
	for _, s := range append(reporttest.Wicked, "</script><img src=x onerror=alert(1)>", "</style>",
		"javascript:alert(1)", `" onclick="alert(1)`, "'", "]]>", "\u202eevil\u2066", "\x00\x1b[2J", "{{.}}",
		"</td></table>") {
		page := browsed(t, reporttest.DangerousPlan(s))
		reporttest.Harmless(t, page)
		got := readSheet(t, page)
		require.Empty(t, got.markup, "%q", s)
		require.Equal(t, tame.policy, got.policy)
		require.Equal(t, tame.text["style"]+tame.text["script"], got.text["style"]+got.text["script"])
		require.Contains(t, got.text["span"], prose.Clean(s), "%q", s) // it is told as it is
		for _, to := range got.links {
			require.Regexp(t, `^(#.*|data:,)$`, to)
		}
	}
	require.NotEmpty(t, readSheet(t, "<img onerror=x>").markup) // it can fail
}

// TestWebViews records what is between the style and the script.
func TestWebViews(t *testing.T) {
	t.Parallel()
	var files []txtar.File
	add := func(name, page string) {
		_, rest, _ := strings.Cut(page, "</style>")
		body, _, _ := strings.Cut(rest, "<script>")
		// so that a review can show them
		body = strings.NewReplacer("<tbody", "\n<tbody", "</tr><tr", "</tr>\n<tr", "</table>", "\n</table>").Replace(
			body,
		)
		files = append(files, txtar.File{Name: name, Data: []byte(body)})
	}
	for _, name := range []string{"sample", "opened", "night", "nothing"} {
		add(name, browsed(t, reporttest.Plans[name]))
	}
	var b bytes.Buffer
	v := NewHTML(&b, Console{Writer: io.Discard}, HTMLOptions{Command: "apply", Version: "dev", Compact: true})
	d := applied("apply", reporttest.Plans["trouble"],
		&apply.Outcome{
			Failed: reporttest.Outcome.Failed, Skipped: reporttest.Outcome.Skipped, Done: reporttest.Outcome.Done,
		})
	v.Plan(d)
	v.Outcome(d)
	require.NoError(t, v.Close())
	add("apply -compact", b.String())
	reporttest.Wanted(t, "web", files...)
}

// TestWebOfSeveral: one report of several directories tells the same addresses apart.
func TestWebOfSeveral(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	v := NewHTML(&b, Console{Writer: io.Discard}, HTMLOptions{Command: "plan", Version: "dev"})
	for _, name := range []string{"groups", "a b"} {
		v.Directory(name, 0)
		v.Plan(recorded(reporttest.Plans["opened"]))
	}
	require.NoError(t, v.Close())
	s := readSheet(t, b.String())
	require.Empty(t, s.markup)
	for _, id := range []string{"groups:", "a b:", "groups:group.open", "a b:group.open",
		`a b:group_members.acme["alice"]`} {
		require.Contains(t, s.ids, id)
	}
	require.Contains(t, s.links, "#a%20b%3agroup.open")
	require.Equal(t, "6 changes", s.text["output"])
}

// TestWebTotalsOfSeveral: the totals of several directories name each sign as the pages that have
// it do.
func TestWebTotalsOfSeveral(t *testing.T) {
	t.Parallel()
	var all webTallies
	for _, p := range []struct {
		sign    plan.Action
		meaning string
	}{{plan.Update, "changed"}, {plan.Delete, "deleted"}, {plan.Delete, "marked for deletion"},
		{plan.Delete, "deleted"}} {
		page := webTallies{meaning: func(a plan.Action) string {
			if a == p.sign {
				return p.meaning
			}
			return a.Name()
		}}
		page.add(p.sign.Name(), 1)
		all.join(page)
	}
	require.Equal(t, []webTally{
		{plan.Update.Name(), string(plan.Update), "changed", 1},
		{plan.Delete.Name(), string(plan.Delete), "deleted or marked for deletion", 3},
	}, all.Actions())
}

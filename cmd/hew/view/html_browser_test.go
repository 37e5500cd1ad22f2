package view

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// The bars of 10,000 changes in a browser: what its thread works until they are there, and until a
// word is found and forgotten again.
const (
	loadSeconds   = 6.0
	searchSeconds = 4.0
)

// looks are a telephone and a desk, by day and by night.
var looks = []look{{width: 390, height: 844}, {width: 390, height: 844, dark: true}, {width: 1440, height: 900},
	{width: 1440, height: 900, dark: true}}

// key presses a key as a person does.
func (p *tab) key(t testing.TB, key string) {
	t.Helper()
	down := map[string]any{"type": "keyDown", "key": key}
	switch key {
	case "Enter":
		down["text"], down["windowsVirtualKeyCode"] = "\r", 13
	case "Escape":
		down["windowsVirtualKeyCode"] = 27
	default:
		if len(key) == 1 {
			down["text"] = key
		}
	}
	p.do(t, "Input.dispatchKeyEvent", down)
	p.do(t, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key})
}

// drawn waits until the page has done what it was asked.
const drawn = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// said is what the page says of how many changes are shown.
const said = `document.getElementById("shown").value`

// shown is that, and how many there are.
func (p *tab) shown(t testing.TB) (told string, n int) {
	t.Helper()
	eval[bool](t, p, drawn)
	return eval[string](t, p, said),
		eval[int](t, p, `[...document.querySelectorAll("[data-a]")].filter(u => u.checkVisibility() || u.closest("details.c:not([open]):not([hidden])")?.checkVisibility()).length`)
}

// quiet makes sure that the page asked for nothing but itself, complained of nothing, and is no
// wider than what it is looked at through.
func (p *tab) quiet(t testing.TB) {
	t.Helper()
	require.LessOrEqual(t, eval[int](t, p, `document.documentElement.scrollWidth`), eval[int](t, p, `innerWidth`))
	p.heard.Lock()
	defer p.heard.Unlock()
	require.Empty(t, p.complaints)
	require.Len(t, p.asked, 1, "%q", p.asked)
}

func written(t testing.TB, p *plan.Plan) string { return writtenAs(t, p, HTMLOptions{}) }

// writtenAs is a file with the page of a plan, with options.
func writtenAs(t testing.TB, p *plan.Plan, of HTMLOptions) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, []byte(browsedAs(t, p, of)), 0o600))
	return file
}

// TestWebInABrowser looks at pages as people do.
func TestWebInABrowser(t *testing.T) {
	t.Parallel()
	b := chromium(t)
	t.Run("every plan", func(t *testing.T) {
		for name, p := range reporttest.Plans {
			page := b.open(t, written(t, p), "", looks[0])
			for _, l := range looks {
				page.as(t, l)
				page.quiet(t)
				require.Equal(t, map[bool]string{false: "rgb(255, 255, 255)", true: "rgb(16, 18, 21)"}[l.dark],
					eval[string](t, page, `getComputedStyle(document.body).backgroundColor`), name)
			}
		}
	})
	t.Run("table on a telephone", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["equal"]), "", looks[0])
		require.Equal(t, []int{0, 0, 0, 0}, eval[[]int](t, page, `[...document.querySelectorAll(".counts tr")].map(r =>
			Math.round(r.lastElementChild.getBoundingClientRect().top - r.firstElementChild.getBoundingClientRect().top))`),
			"a kind and its numbers are one line")
	})
	t.Run("search and filters", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["estate"]), "", looks[2])
		told, n := page.shown(t)
		require.Equal(t, "7 changes", told)
		require.Equal(t, 7, n)

		page.key(t, "/")
		page.do(t, "Input.insertText", map[string]any{"text": "CHAT.example"}) // a value, in any case
		told, n = page.shown(t)
		require.Equal(t, "1 of 7 changes", told)
		require.Equal(t, 1, n)
		require.Equal(t, "#q=CHAT.example", eval[string](t, page, `location.hash`))
		require.Equal(t, 1, eval[int](t, page, `CSS.highlights.get("found").size`))
		page.key(t, "Escape")
		told, _ = page.shown(t)
		require.Equal(t, "7 changes", told)

		eval[bool](t, page, `document.querySelector("button[value=delete]").click() ?? true`)
		told, n = page.shown(t)
		require.Equal(t, "1 of 7 changes", told)
		require.Equal(t, 1, n) // an element alone of its set
		require.Equal(t, "true", eval[string](t, page, `document.querySelector("button[value=delete]").ariaPressed`))
		eval[bool](t, page, `document.querySelector("button[value=config]").click() ?? true`)
		told, n = page.shown(t)
		require.Equal(t, "0 of 7 changes", told)
		require.Zero(t, n)
		require.True(t, eval[bool](t, page, `document.getElementById("nothing").checkVisibility()`))
		page.quiet(t)
	})
	t.Run("guards only", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["opened"]), "#guards=1&action=update,create", looks[2])
		told, n := page.shown(t)
		require.Equal(t, "2 of 3 changes", told)
		require.Equal(t, 2, n)
	})
	t.Run("links", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Year(300)), "#group_members.team_0[%22bob%22]", looks[0])
		eval[bool](t, page, drawn)
		require.True(t, eval[bool](t, page, `document.getElementById('group_members.team_0["bob"]').checkVisibility()`),
			"what leads to a change unfolds it")
		require.Equal(t, `group_members.team_0`, eval[string](t, page, `document.activeElement.parentElement.id`))
	})
	t.Run("groups", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["equal"]), "", looks[2])
		told, n := page.shown(t)
		require.Equal(t, "41 changes", told)
		require.Equal(t, 26, n, "what guards name, one set, and the first ten of what goes; the rest is folded")
		page.key(t, "/")
		page.do(t, "Input.insertText", map[string]any{"text": "team-7/web"}) // folded twice
		told, n = page.shown(t)
		require.Equal(t, "1 of 41 changes", told)
		require.Equal(t, 1, n)
		page.key(t, "Escape")
		page.key(t, "Escape")
		page.key(t, "j")
		require.Contains(t, eval[string](t, page, `document.activeElement.textContent`), "13 × project_hook")
		page.quiet(t)
	})
	t.Run("keys", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Year(60)), "", looks[2])
		focus := `document.activeElement.closest(".c")?.id ?? document.activeElement.id`
		open := `document.activeElement.parentElement.open`
		visit := []string{"j", "ArrowDown", "k"}
		var at []string
		for _, k := range visit {
			page.key(t, k)
			at = append(at, eval[string](t, page, focus))
		}
		require.NotEqual(t, at[0], at[1])
		require.Equal(t, at[0], at[2])
		was := eval[bool](t, page, open)
		page.key(t, "Enter")
		require.Equal(t, !was, eval[bool](t, page, open))
		require.Equal(t, "solid", eval[string](t, page, `getComputedStyle(document.activeElement).outlineStyle`),
			"what has the focus shows it")
		page.key(t, "/")
		require.Equal(t, "q", eval[string](t, page, focus))
		page.do(t, "Input.insertText", map[string]any{"text": "jk/"})
		page.key(t, "j")
		require.Equal(
			t, "jk/j", eval[string](t, page, `document.activeElement.value`), "keys are letters where somebody types",
		)
		page.quiet(t)
	})
	t.Run("folding", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["estate"]), "", looks[2])
		closed := `document.querySelectorAll("main details:not([open])").length`
		eval[bool](t, page, `document.getElementById("none").click() ?? true`)
		require.Equal(
			t, eval[int](t, page, `document.querySelectorAll("main details").length`), eval[int](t, page, closed),
		)
		eval[bool](t, page, `document.getElementById("all").click() ?? true`)
		require.Zero(t, eval[int](t, page, closed))
	})
	t.Run("theme", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["estate"]), "", looks[2])
		require.Equal(t, "rgb(16, 18, 21)",
			eval[string](t, page,
				`(document.getElementById("theme").value = "dark", getComputedStyle(document.body).backgroundColor)`))
	})
	t.Run("without JavaScript", func(t *testing.T) {
		page := b.open(t, written(t, reporttest.Plans["estate"]), "", look{width: 1440, height: 900, bare: true})
		require.False(t, eval[bool](t, page, `document.getElementById("q").checkVisibility()`),
			"there is nothing that would do nothing")
		require.Equal(t, 7,
			eval[int](t, page, `[...document.querySelectorAll("[data-a]")].filter(u => u.checkVisibility()).length`))
		require.Contains(t, eval[string](t, page, `document.body.innerText`), "https://chat.example.com")
		page.quiet(t)
	})
	t.Run("10,000 changes", func(t *testing.T) {
		page := b.open(t, writtenAs(t, reporttest.Year(10_000), HTMLOptions{Detail: report.Whole}), "", looks[0])
		eval[bool](t, page, drawn)
		loaded := page.worked(t)
		require.Equal(t, "10,000 changes", eval[string](t, page, said))
		require.Less(t, loaded, loadSeconds)
		page.key(t, "/")
		page.do(t, "Input.insertText", map[string]any{"text": "CAROL"})
		eval[bool](t, page, drawn)
		require.Equal(t, "1,666 of 10,000 changes", eval[string](t, page, said))
		page.key(t, "Escape")
		eval[bool](t, page, drawn)
		require.Equal(t, "10,000 changes", eval[string](t, page, said))
		require.Less(t, page.worked(t)-loaded, searchSeconds)
		page.do(
			t, "Input.synthesizeScrollGesture", map[string]any{"x": 100, "y": 400, "yDistance": -5000, "speed": 20000},
		)
		require.Greater(t, eval[float64](t, page, `scrollY`), 2000.0)
		page.quiet(t)
	})
}

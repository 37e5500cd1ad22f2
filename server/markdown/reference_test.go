package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/markdown"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // direct ones have an exclamation mark
		"":                             "",
		"@ann":                         "ann!",
		"@ann  @bob what? @cy":         "ann! bob! cy",
		"@ann, @bob":                   "ann! bob",
		"Hello @ann.":                  "ann",
		"cc @group/sub/deep, (@all)":   "group/sub/deep all",
		"@a_b_c @x.y-z @A.":            "a_b_c! x.y-z! A!",
		"@Ann hi @ann @ANN":            "Ann!",
		"hi @ann\n\n@ann":              "ann!",
		"a\n@ann":                      "ann",
		"**@ann** *_@bob_* ~~@cy~~":    "ann bob cy",
		"# @ann\n\n> @bob\n\n- @cy":    "ann bob cy",
		"| @ann |\n|---|\n| @bob |":    "ann bob",
		"> > @ann":                     "ann",
		"`@ann` ``@bob``":              "",
		"```\n@ann\n```\n\n    @bob":   "",
		"a <code>@ann</code> @bob":     "bob",
		"a <b>@ann</b>":                "ann",
		"<pre>\n@ann\n</pre>":          "",
		"[@ann](u) ![@bob](u)":         "",
		"a@ann a.b@ann.com é@ann 1@a":  "",
		"<a@b.co> mailto:x@y":          "",
		"http://h/@ann http://a.b/@x":  "",
		"\\@ann @@ann @ @. @- @/x":     "",
		"@ann@example @bobé":           "",
		"@ann/ @bob//x @cy/-x":         "ann! bob cy",
		"- [ ] @ann\n- [x] @bob `@cy`": "ann bob",
		"@alice What? cc: @bob\n\n- @carol please?\n\n> @dan?\n\n@erin @frank thanks!": "alice! bob carol dan erin! frank!",
	} {
		var found []string
		for _, m := range markdown.Mentions(text) {
			if m.Direct {
				m.Name += "!"
			}
			found = append(found, m.Name)
		}
		require.Equal(t, want, strings.Join(found, " "), text)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	const long = "0123456789abcdef0123456789abcdef01234567"
	for text, want := range map[string]string{
		"":                                       "",
		"#1 !2 &3 (#4), #5. #6! **#7**":          "#1 !2 &3 #4 #5 #6 #7",
		"#1 #1 !1":                               "#1 !1",
		"group/project#1 project#2 a/b/c!3 g&4":  "group/project#1 project#2 a/b/c!3 g&4",
		"my_group/my_p#1 /abs/p#2 ...#3":         "my_group/my_p#1 abs/p#2 #3",
		"-#1 a-b.c#2":                            "#1 a-b.c#2",
		"#1a #0 #-1 # 1 #1_ é#1 #1é":             "",
		"#99999999999999999999 ##1 &#35;1 #1#2":  "#1",
		"\\#1 \\!2 \\&3 a\\_b#4":                 "a_b#4",
		"`#1`\n\n```\n#2\n```\n\n    #3":         "",
		"[#1](u) ![#2](u)":                       "",
		"# #1\n\n> !2\n\n| &3 |\n|---|\n| #4 |":  "#1 !2 &3 #4",
		"deadbee, (DEADBEEF). " + long:           "@deadbee @deadbeef @" + long,
		"a/b@deadbee p@1234567":                  "a/b@deadbee p@1234567",
		"deadbe deadbeeg #deadbee " + long + "a": "",
		"550e8400-e29b-41d4-a716-446655440000":   "",
		"x_deadbee deadbee_x deadbee/x":          "",
		"https://h/a/b/-/issues/1, <http://x.y/z#1> [a](http://q/-/issues/2)": "https://h/a/b/-/issues/1 http://x.y/z#1 http://q/-/issues/2",
		"(http://localhost:80/#1) ftp://x/a#1 xhttp://":                       "http://localhost:80/#1",
		"[a](b/c#1) http:// http:///a#1":                                      "",
		"http://h/" + strings.Repeat("a", 400) + "#1":                         "",
		"@ann#1 @ann": "",
	} {
		require.Equal(t, want, written(markdown.References(text)), text)
	}
}

func TestClosingReferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 "",
		"Closes #1":                        "#1",
		"Add x\n\ncloses #1, #2 and a/b#3": "#1 #2 a/b#3",
		"Fix #1, fixes: #2 and fixing #3":  "#1 #2 #3",
		"Resolves #1, and #2 #3,#4":        "#1 #2 #3 #4",
		"Implement issue #1 Implementing: issues #2": "#1 #2",
		"Close https://h/a/b/-/issues/1, and #2.":    "https://h/a/b/-/issues/1 #2",
		"Closes: #1\n#2": "#1",
		"close closed closing fix fixed resolve resolved resolving implemented #1": "#1",
		"Closes !1 Closes &1 Closes @ann Closes deadbee":                           "",
		"Closes#1 Closes:#1 Closes\n#1 CLOSES #1 Discloses #1 fixup #1":            "",
		"Closes #1 and then #2":     "#1",
		"    Closes #1\n`Fixes #2`": "#1 #2",
		"Closes #1 and":             "#1",
		"closes ":                   "",
	} {
		require.Equal(t, want, written(markdown.ClosingReferences(text)), text)
	}
}

func TestTasks(t *testing.T) {
	t.Parallel()
	const text = "Intro\n\n- [ ] one **a**\n- [x] two\n  + [X] nested\n\n> 1. [ ] quoted\n> 2) [x] other\n\n" +
		"* [~] not\n* [x]not\n* [ ]\n* [ ] \n* a [ ] b\n\n```\n- [ ] code\n```\n\n    - [ ] code\n\n[ ] no list\n" +
		"\n- `[ ] a`\n- [ ] last\r\n"
	require.Equal(t, []markdown.Task{
		{Text: "one **a**", Line: 3},
		{Text: "two", Done: true, Line: 4},
		{Text: "nested", Done: true, Line: 5},
		{Text: "quoted", Line: 7},
		{Text: "other", Done: true, Line: 8},
		{Text: "last", Line: 25},
	}, markdown.Tasks(text))
	require.Empty(t, markdown.Tasks(""))
}

// What is too costly to parse has the same tasks.
func TestTasksOfLongTexts(t *testing.T) {
	t.Parallel()
	const text = "- [ ] one **a**\n- [x] two\n  + [X] nested\n\n> 1. [ ] quoted\n> 2) [x] other\n\n" +
		"* [~] not\n* [x]not\n* [ ]\n* [ ] \n* a [ ] b\n- - [ ] deep\n\n```\n- [ ] code\n```\n\n[ ] no list\n\n- `[ ] a`\n- [ ] last\r\n\n"
	once := markdown.Tasks(text)
	require.Len(t, once, 7)
	times := 300_000 / len(text)
	all := markdown.Tasks(strings.Repeat(text, times))
	require.Len(t, all, times*len(once))
	require.Equal(t, once, all[:len(once)])
	last := once[len(once)-1]
	last.Line += (times - 1) * strings.Count(text, "\n")
	require.Equal(t, last, all[len(all)-1])
}

// Tasks are the check boxes that pages show.
func TestTasksAreBoxes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"- [ ] a\n- [x] b", "- a\n  - [ ] b", "- [ ] a\n\n- [x] b\n\n  c", "> - [X] a\n- [ ] b", "1. [ ] a\n\ttext",
		"- > [ ] a", "- - [ ] a", "- [ ] a\n  ===", "-\t[ ] a", "-     [ ] a", "+ [\t] a", "- [a]: b\n  [ ] c",
		"<div>\n- [ ] a\n</div>", "- a\n[ ] b", "10) [ ] a",
	} {
		page, err := markdown.HTML(text)
		require.NoError(t, err)
		require.Len(t, markdown.Tasks(text), strings.Count(page, "<input"), text)
	}
}

// Texts that are made to take long have no more than what is read within a second.
func TestHostileReferences(t *testing.T) {
	t.Parallel()
	read := func(text string) {
		began := time.Now()
		markdown.Mentions(text)
		markdown.References(text)
		markdown.Tasks(text)
		markdown.ClosingReferences(text)
		require.Less(t, time.Since(began), 20*time.Second, "%.30q", text) // a second each
	}
	for _, part := range []string{
		"@a ", "@a/", "a/b#1 ", "deadbee/", "deadbee ", "http://", "http://a ", "://", "closes #1, ", "closes issues ", "@",
		"&", "\\", "<code>", "- [ ] a\n", "> ", "*@a* ", "a.", "[@a](b) ", "[", "\x00", "\xff", "a@b.c ",
	} {
		read(strings.Repeat(part, 250_000/len(part)))
		read(strings.Repeat(part, 1_000_000/len(part)))
	}
}

func TestManyMentions(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "@user%d ", i)
	}
	began := time.Now()
	found := markdown.Mentions(text.String())
	require.Less(t, time.Since(began), time.Second)
	require.Len(t, found, 10_000)
	require.True(t, found[9_999].Direct)
	require.Empty(t, markdown.Mentions(strings.Repeat("@user ", 200_000)))
}

func FuzzReferences(f *testing.F) {
	f.Add("@a/b #1 a!2 &3 deadbee closes #1, http://x/#1 \\#1 `#1` <code>")
	f.Add("- [ ] a\n> 1. [x] b\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range markdown.Mentions(text) {
			require.NotEmpty(t, m.Name)
		}
		for _, r := range append(markdown.References(text), markdown.ClosingReferences(text)...) {
			require.NotZero(t, r.Kind)
		}
		for _, task := range markdown.Tasks(text) {
			require.Contains(t, strings.Split(text, "\n")[task.Line-1], task.Text)
		}
	})
}

// written returns references as people write them.
func written(all []markdown.Reference) string {
	marks := map[markdown.Kind]string{markdown.Issue: "#", markdown.MergeRequest: "!", markdown.Epic: "&"}
	var words []string
	for _, r := range all {
		switch r.Kind {
		case markdown.URL:
			words = append(words, r.URL)
		case markdown.Commit:
			words = append(words, r.Path+"@"+r.SHA)
		default:
			words = append(words, fmt.Sprint(r.Path, marks[r.Kind], r.Number))
		}
	}
	return strings.Join(words, " ")
}

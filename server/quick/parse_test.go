package quick_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/quick"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, rest, calls string }{
		"none":              {"Hello\n\nworld \n\n", "Hello\n\nworld", ""},
		"empty":             {"", "", ""},
		"one":               {"/close", "", "close"},
		"middle":            {"hello\n/label ~foo ~\"bar baz\"\nworld", "hello\nworld", "label=~foo ~\"bar baz\""},
		"case":              {"/CLOSE\n/Labels ~a", "", "close label=~a"},
		"alias":             {"/award :tada:\n/spent 1h", "", "react=:tada: spend=1h"},
		"unknown":           {"/nothing x\n/closefoo\n/ close\n//close\n/", "/nothing x\n/closefoo\n/ close\n//close\n/", ""},
		"not at the start":  {" /close\na /close\n> /close", " /close\na /close\n> /close", ""},
		"carriage returns":  {"a\r\n/close\r\nb\r", "a\nb", "close"},
		"blanks":            {"/close  \n/title  A b  ", "", "close title=A b"},
		"tab":               {"/title\tx", "/title\tx", ""},
		"last counts":       {"/title a\n/close\n/title b", "", "close title=b"},
		"labels add up":     {"/label ~a\n/close\n/label ~b", "", "close label=~a ~b"},
		"all":               {"/unlabel ~a\n/unlabel", "", "unlabel"},
		"shrug":             {"/shrug well\n/close\n/shrug", "well ¯\\＿(ツ)＿/¯\n¯\\＿(ツ)＿/¯", "close"},
		"tableflip":         {"/TableFlip", "(╯°□°)╯︵ ┻━┻", ""},
		"fence":             {"```\n/close\n```\n/reopen", "```\n/close\n```", "reopen"},
		"long fence":        {"````go\n```\n/close\n````\n/reopen", "````go\n```\n/close\n````", "reopen"},
		"tildes":            {"~~~ a`b\n/close\n```\n~~~~ \n/reopen", "~~~ a`b\n/close\n```\n~~~~", "reopen"},
		"open fence":        {"  ```\n/close", "  ```\n/close", ""},
		"no fence":          {"```a`\n/close", "```a`", "close"},
		"deep fence":        {"    ```\n/close", "    ```", "close"},
		"code span":         {"`a\n/close\nb`\n/reopen", "`a\n/close\nb`", "reopen"},
		"long code span":    {"a `` b ` c\n/close\n``\n/reopen", "a `` b ` c\n/close\n``", "reopen"},
		"open code span":    {"a ` b\n/close\n\n`", "a ` b\n\n`", "close"},
		"escaped":           {"a \\` b\n/close\n`", "a \\` b\n`", "close"},
		"closed in line":    {"`a` b\n/close\n`c`", "`a` b\n`c`", "close"},
		"ticks of commands": {"/title `a\n/close\nb` c", "b` c", "title=`a close"},
		"span in fence":     {"a ` b\n/close\n```\n`\n```", "a ` b\n```\n`\n```", "close"},
		"html":              {"<div>\n\n/close\n\n</DIV>\n/reopen", "<div>\n\n/close\n\n</DIV>", "reopen"},
		"open html":         {"<p class=\"a\">\n/close\n\n/reopen", "<p class=\"a\">\n/close", "reopen"},
		"comment":           {"<!-- a\n\n/close\n-->\n/reopen", "<!-- a\n\n/close\n-->", "reopen"},
		"comment in line":   {"<!-- a -->\n/close", "<!-- a -->", "close"},
		"open comment":      {"<!-- a\n/close", "<!-- a\n/close", ""},
		"quote":             {">>>\n/close\n\n/close\n>>>\n/reopen", ">>>\n/close\n\n/close\n>>>", "reopen"},
		"open quote":        {">>>\n/close", ">>>", "close"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rest, calls := quick.Parse(c.text, quick.All)
			require.Equal(t, c.rest, rest)
			require.Equal(t, c.calls, written(calls))
		})
	}
}

// A text without its commands has none, so that a second reading changes nothing.
func FuzzParse(f *testing.F) {
	f.Add("a `\n/close\n`\n```\n/close\n```\n>>>\n<div>\n/shrug\n</div>")
	f.Add("<!--\n/label ~a\r\n-->\n/label")
	f.Fuzz(func(t *testing.T, text string) {
		rest, calls := quick.Parse(text, quick.All)
		require.NotContains(t, rest, "\r")
		require.LessOrEqual(t, len(calls), len(quick.All))
		if len(calls) == 0 && !strings.Contains(rest, "¯") && !strings.Contains(rest, "┻") {
			require.Equal(t, strings.TrimRight(strings.ReplaceAll(text, "\r", ""), " \t\n\v\f"), rest)
		}
		for _, call := range calls {
			quick.Labels(call.Argument)
			quick.Users(call.Argument)
			quick.Milestone(call.Argument)
		}
	})
}

func TestHostileText(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		"`", "` ", "`\n", "``` ", "```\n", ">>>\n", "<div>\n", "<a>\n</b>\n", "<!--\n", "/", "/close\n", "/label ~a\n",
		"/unlabel ~a\n", "/shrug\n", "\n", "\r", "`\n/close\n``\n", "/title `\n", "</div>\n<div>\n", "~~~\n```\n",
	} {
		began := time.Now()
		quick.Parse(strings.Repeat(part, 1_000_000/len(part)), quick.All)
		require.Less(t, time.Since(began), time.Second, part)
	}
	var many strings.Builder // runs of many lengths
	for i := range 1400 {
		many.WriteString(strings.Repeat("`", i) + "\n")
	}
	began := time.Now()
	quick.Parse(many.String(), quick.All)
	require.Less(t, time.Since(began), time.Second)
}

func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range quick.All {
		for _, name := range append(c.Aliases, c.Name) {
			require.Regexp(t, regexp.MustCompile(`^[a-z_]+$`), name)
			require.False(t, seen[name], name)
			seen[name] = true
		}
		require.NotZero(t, c.On, c.Name)
		require.NotEmpty(t, c.Help, c.Name)
		require.False(t, c.AddsUp && c.Argument == quick.NoArgument, c.Name)
	}
	require.Len(t, quick.For(quick.All, quick.Issue|quick.MergeRequest|quick.Epic), len(quick.All))
	_, calls := quick.Parse("/merge\n/parent_epic &1\n/due today", quick.For(quick.All, quick.MergeRequest))
	require.Equal(t, "merge", written(calls))
	_, calls = quick.Parse("/tag v1 First one\n/close", quick.OnCommit)
	require.Equal(t, "tag=v1 First one", written(calls))
}

func TestArguments(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"a", "b c", "d", "x::y"}, quick.Labels(`~a ~"b c" d,~a ~x::y`))
	require.Equal(t, []string{"a", "b", "c"}, quick.Labels(`~a~b "c`))
	require.Empty(t, quick.Labels(` ~ ~"" `))
	require.Equal(t, []string{"ann", "me", "bob", "group/sub"}, quick.Users("@ann, me and bob @group/sub @ann"))
	for argument, want := range map[string]string{
		"%m": "m", `%"v 1"`: "v 1", "v 1": "v 1", `"v 1"`: "v 1", "%17.1 ": "17.1", "": "", "%": "%",
	} {
		require.Equal(t, want, quick.Milestone(argument), argument)
	}
	require.Equal(t, "tada", quick.Emoji(" :tada: "))
	for title, want := range map[string]string{"bug": "bug", "b c": `"b c"`, "a::b": "a::b", "": `""`, "a~b": `"a~b"`} {
		require.Equal(t, want, quick.Quote(title))
	}
}

// written returns calls as one line.
func written(calls []quick.Call) string {
	var words []string
	for _, c := range calls {
		word := c.Name
		if c.Argument != "" {
			word += "=" + c.Argument
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

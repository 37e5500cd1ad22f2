package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/markdown"
)

const secret = "0123456789abcdef0123456789abcdef"

// moved replaces the spots of a text as if its place were elsewhere.
func moved(text string) string {
	return markdown.Replace(text, markdown.Spots(text), func(s markdown.Spot) (string, bool) {
		if s.Upload.Name != "" {
			return "<" + s.Upload.Secret[:2] + " " + s.Upload.Name + ">", true
		}
		return "<" + s.Reference.Path + s.Reference.Name + ">", s.Reference.Number != 9
	})
}

func TestSpots(t *testing.T) {
	t.Parallel()
	const link = "/uploads/" + secret
	for text, want := range map[string]string{
		"":                                               "",
		"#3, !4 and &5.":                                 "<>#3, <>!4 and <>&5.",
		"a#3 see a/b!4 (x/y&5) -#6":                      "<a>#3 see <a/b>!4 (<x/y>&5) -<>#6",
		"~bug ~\"a b\" a/b~x::y ~1":                      "<bug>~bug <a b>~\"a b\" <a/bx::y>~x::y <1>~1",
		"%1.0. %\"v 1\" site%v-1, %3":                    "<1.0>%1.0. <v 1>%\"v 1\" <sitev-1>%v-1, <3>%3",
		"~ % ~. %, ~\"\" 5% ~~":                          "~ % ~. %, ~\"\" 5% ~~",
		"`#3 ~x` ``%y``":                                 "`#3 ~x` ``%y``",
		"```\n#3 ~x\n```\n\n    #3\n\n#4":                "```\n#3 ~x\n```\n\n    #3\n\n<>#4",
		"\\#3 \\~x \\%y my\\_site#3":                     "\\#3 \\~x \\%y <my_site>#3",
		"*#3* **~x** ~~#4~~":                             "*<>#3* **<x>~x** ~~<>#4~~",
		"[#3](u) ![~x](u) a <b>#3</b>":                   "[#3](u) ![~x](u) a <b><>#3</b>",
		"https://h/a%20b/-/issues/1 @a":                  "https://h/a%20b/-/issues/1 @a",
		"deadbee a@deadbee":                              "deadbee a@deadbee",
		"- [ ] #3\n> ~x\n\n| #4 |\n|---|":                "- [ ] <>#3\n> <x>~x\n\n| <>#4 |\n|---|",
		"#9 a/b#9 my\\_site#9":                           "#9 a/b#9 my\\_site#9",
		"é#3 é ~é":                                       "é#3 é <é>~é",
		"![a](" + link + "/a.png) " + link + "/b_1.txt.": "![a](/uploads/<01 a.png>/a.png) /uploads/<01 b_1.txt>/b_1.txt.",
		"<img src=\"" + link + "/a.png\">":               "<img src=\"/uploads/<01 a.png>/a.png\">",
		"[x]: " + link + "/%C3%A9":                       "[x]: /uploads/<01 %C3%A9>/%C3%A9",
		"`" + link + "/a` h" + link + "/a":               "`" + link + "/a` h" + link + "/a",
		"/-/project/1" + link + "/a":                     "/-/project/1" + link + "/a",
		"```\n" + link + "/a\n```\n/uploads/0123/a":      "```\n" + link + "/a\n```\n/uploads/0123/a",
	} {
		require.Equal(t, want, moved(text), text)
	}
}

// What is too costly to parse has the same spots, but for code that is indented.
func TestSpotsOfLongTexts(t *testing.T) {
	t.Parallel()
	const text = "#3 `#4` ~bug ``!5``\n```\n#6\n```\n[a](/uploads/" + secret + "/a)\n"
	long := strings.Repeat(text, 300_000/len(text))
	require.Equal(t, strings.Repeat(moved(text), 300_000/len(text)), moved(long))
}

func TestHostileSpots(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		"#1 ", "a/b#1", "~a", "%a", "%", "~", "%\"", "~\"a", "a.", "%a,", "`", "` `` ", "/uploads/",
		"[a](/uploads/" + secret + "/a) ",
	} {
		began := time.Now()
		moved(strings.Repeat(part, 250_000/len(part)))
		moved(strings.Repeat(part, 500_000/len(part)))
		require.Less(t, time.Since(began), 10*time.Second, part) // minutes, if the time grew with the square
	}
}

func FuzzSpots(f *testing.F) {
	f.Add("a/b#1 ~x `#3` %\"a b\" [a](/uploads/" + secret + "/a) \\#3")
	f.Fuzz(func(t *testing.T, text string) {
		same := markdown.Replace(text, markdown.Spots(text), func(s markdown.Spot) (string, bool) {
			if s.Upload.Name != "" {
				return s.Upload.Secret, true
			}
			return s.Reference.Path, true
		})
		require.Equal(t, strings.ReplaceAll(text, "\\", ""), strings.ReplaceAll(same, "\\", ""))
	})
}

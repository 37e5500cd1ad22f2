package view

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hew/reconcile/golden"
	"hew/reconcile/report/reporttest"
)

// The measures of a picture of a terminal, in pixels.
const (
	cell, lineHeight = 8.43, 20.0 // of a character of 14 pixels
	margin, title    = 16.0, 34.0
)

// hues are what colours look like on a dark terminal.
var hues = map[string]string{
	"": "#d4d7dd", Bold: "#ffffff", dim: "#868d99", red: "#ff7b72", green: "#57d364", yellow: "#e3b341",
	purple: "#bc8cff", cyan: "#56d4dd",
}

// painted is text between two escapes.
var painted = regexp.MustCompile(`\x1b\[(\d+)m([^\x1b]*)\x1b\[0m|([^\x1b]+)`)

// pictured is what a terminal shows, as an SVG. Every painted has its place and its length, so that
// it lines up in whatever font somebody has, and blanks that do not run together.
func pictured(command, shown string) string {
	lines := strings.Split(strings.TrimRight("$ "+command+"\n"+shown, "\n"), "\n")
	columns := 0
	var text strings.Builder
	for i, line := range lines {
		at := 0
		for _, m := range painted.FindAllStringSubmatch(line, -1) {
			said, n := m[2]+m[3], utf8.RuneCountInString(m[2]+m[3])
			if strings.TrimSpace(said) != "" {
				lead := n - utf8.RuneCountInString(strings.TrimLeft(said, " "))
				said = strings.TrimSpace(said)
				fmt.Fprintf(&text, "<text x=\"%.1f\" y=\"%.0f\" textLength=\"%.1f\" fill=\"%s\">%s</text>\n",
					margin+float64(at+lead)*cell,
					title+margin+float64(i)*lineHeight+4, float64(utf8.RuneCountInString(said))*cell, hues[m[1]],
					strings.ReplaceAll(html.EscapeString(said), " ", "\u00a0"))
			}
			at += n
		}
		columns = max(columns, at)
	}
	width, height := 2*margin+float64(columns)*cell, title+margin+float64(len(lines))*lineHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %[1]f %[2]f" role="img" aria-label="hew plan in a terminal"
 font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
<rect width="100%%" height="100%%" rx="8" fill="#15181e"/>
<circle cx="20" cy="17" r="6" fill="#ff5f57"/><circle cx="40" cy="17" r="6" fill="#febc2e"/><circle cx="60" cy="17" r="6" fill="#28c840"/>
%s</svg>
`, width, height, text.String())
}

// TestPicture has the README show a plan as it looks on a terminal today.
func TestPicture(t *testing.T) {
	t.Parallel()
	p := reporttest.Plans["sample"]
	got := pictured("hew plan", rendered(p, Text{Console: Console{Paint: true}}))
	golden.Equal(t, "../pictures/plan.svg", got)
	words := regexp.MustCompile(`<[^>]*>`)
	require.Equal(t, strings.Fields("$ hew plan\n"+rendered(p, Text{})),
		strings.Fields(html.UnescapeString(words.ReplaceAllString(got, " "))), "nothing of it is lost")
}

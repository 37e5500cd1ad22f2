package check_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/check"
)

// bombs are regular expressions that cost other languages, or a careless use of this one, all there
// is.
var bombs = map[string]string{
	"nested":           `^(a+)+$`,
	"alternatives":     `^(a|a)*$`,
	"overlapping":      `^(.*a){20}$`,
	"back":             `^(a+)\1$`,
	"looking ahead":    `^(?=a+)a+$`,
	"counted":          `((a{1000}){1000}){1000}`,
	"counted slyly":    strings.Repeat(`(?:.?){1000}`, 40),
	"as long as it is": strings.Repeat(`.{999}`, 85),
	"deep":             strings.Repeat("(", 255) + "a" + strings.Repeat(")", 255),
	"very deep":        strings.Repeat("(?:", 1300) + "a" + strings.Repeat(")+", 1300),
	"too long":         strings.Repeat("a", 4001),
	"classes":          strings.Repeat(`\p{L}`, 100),
}

// Every expression is refused or cheap: both the check of a rule and a match with a long text are
// fast. The limit is generous, because these expressions could take minutes, or never end.
func TestRegexBombs(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a", 2000) + "!"
	var fine []string
	for name, bomb := range bombs {
		begun := time.Now()
		if len(bomb) <= check.MaxRegexLength && check.Regex(bomb) == nil {
			fine = append(fine, name)
			regexp.MustCompile(bomb).MatchString(text)
		}
		require.Less(t, time.Since(begun), 5*time.Second, name)
	}
	require.ElementsMatch(t, []string{"nested", "alternatives", "overlapping", "deep", "classes"}, fine)
}

func TestRegexSizes(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`^(feat|fix|docs)(\(\w+\))?: .{10,72}$`: "",
		`^[\s\S]{0,1000}$`:                      "",
		`.{1000}.{1000}.{1000}.{1000}`:          "",
		`.{1000}.{1000}.{1000}.{1000}.{1000}`:   "pattern too large",
		`(.{40}){40}{4}`:                        "invalid",
		`(`:                                     "missing closing",
	} {
		err := check.Regex(text)
		if says == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, says, text)
		}
	}
}

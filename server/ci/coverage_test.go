package ci

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCoverage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trace, pattern string
		want           *float64
	}{
		"the last line counts": {"Coverage: 1%\nCoverage: 22.5%\nover\n", `/Coverage: [\d.]+%/`, new(22.5)},
		"the last match":       {"a 1 a 2\n", `/a \d/`, new(2.0)},
		"the last group":       {"total 7 of 9\n", `/total (\d+) of (\d+)/`, new(9.0)},
		"a line without one":   {"Coverage: 3\nCoverage: none\n", `/Coverage: \w+/`, new(3.0)},
		"colours":              {"\x1b[32mCoverage:\x1b[0m 81%\r\n", `/Coverage: \d+%/`, new(81.0)},
		"time stamps":          {"2026-01-02T03:04:05.123456Z 00O Coverage: 81%\n", `/^Coverage: \d+%/`, new(81.0)},
		"flags and slashes":    {"a/b 5\n", `/a\/b \d/i`, new(5.0)},
		"none":                 {"text\n", `/Coverage: \d+%/`, nil},
		"a bad pattern":        {"text 1\n", `/[/`, nil},
		"an empty trace":       {"", `/\d/`, nil},
		"no end of line":       {"9", `/\d/`, new(9.0)},
	} {
		require.Equal(t, tt.want, coverage([]byte(tt.trace), tt.pattern), name)
	}
}

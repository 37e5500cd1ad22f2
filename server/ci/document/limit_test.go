package document_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

// lines writes a line for each number from 0 on.
func lines(n int, format string, args func(i int) []any) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", args(i)...)
	}
	return b.String()
}

// next returns a number and the ones before it, as often as a format needs them.
func next(i int) []any {
	args := []any{i + 1}
	for range 10 {
		args = append(args, i)
	}
	return args
}

func TestBombs(t *testing.T) {
	const tooBig, tooMuch = "The parsed YAML is too big", "Total size of combined CI/CD configuration is too big"
	ten := func(item string) string { return strings.Repeat(item+", ", 9) + item }
	for _, test := range []struct {
		name, content, want string
		files               files
	}{
		{"aliases", "a0: &a0 [x]\n" + lines(30, "a%[1]d: &a%[1]d ["+ten("*a%[2]d")+"]", next), tooBig, nil},
		{"aliases in a chain", "a0: &a0 [x]\n" + lines(20_000, "a%[1]d: &a%[1]d [*a%[2]d]", next),
			tooBig, nil},
		{"merge keys", "t: &t {" + lines(5_000, "k%d: 1,", one) + "}\n" + lines(5_000, "j%d: {<<: *t}", one),
			tooBig, nil},
		{"references", ".a0: [x]\n" + lines(30, ".a%[1]d: ["+ten("!reference [.a%[2]d]")+"]", next), tooBig, nil},
		{"references in a chain", ".a0: [x]\n" + lines(5_000, ".a%[1]d: [!reference [.a%[2]d]]", next), tooBig, nil},
		{"references to large maps", ".a: {" + lines(8_000, "k%d: 1,", one) + "}\n" +
			lines(5_000, "j%d: !reference [.a]", one), tooBig, nil},
		{"extends", ".a: {" + lines(8_000, "k%d: 1,", one) + "}\n" + lines(5_000, "j%d: {extends: .a}", one),
			tooBig, nil},
		{"extends in depth", ".a: {v: {" + lines(8_000, "k%d: 1,", one) + "}}\n.b: {v: {x: 1}}\n" +
			lines(5_000, "j%d: {extends: [.a, .b]}", one), tooBig, nil},
		{"extends of many", lines(1_000, ".a%d: {k: 1}", one) +
			lines(20, "j%d: {extends: ["+strings.Repeat(".a7, ", 900)+"]}", one), "", nil},
		{"includes of itself", "include: a.yml", "Maximum of 150 nested includes are allowed!",
			files{"a.yml": "include: a.yml"}},
		{"includes doubled", "include: a.yml", "Maximum of 150 nested includes are allowed!",
			files{"a.yml": "include: [a.yml, a.yml]"}},
		{"includes of many", "include: [" + strings.Repeat("a.yml, ", 151) + "]",
			"Maximum of 150 nested includes are allowed!", files{"a.yml": "a: 1"}},
		{"includes of a wildcard", "include: '*.yml'", "", files{"a.yml": "a: 1\ninclude: '*.yml'", "b.yml": "b: 1"}},
		{"large includes", "include: [" + strings.Repeat("a.yml, ", 150) + "]", tooMuch,
			files{"a.yml": "a: [" + strings.Repeat("1,", 40_000) + "]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := allocated()
			start := time.Now()
			_, err := test.files.load(test.content)
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, test.want)
			}
			require.Less(t, time.Since(start), time.Minute)
			require.Less(t, allocated()-before, uint64(500<<20), "bytes allocated")
		})
	}
}

// one returns a number as arguments.
func one(i int) []any { return []any{i} }

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

func TestIncludeLimits(t *testing.T) {
	t.Parallel()
	many := "include: [" + strings.Repeat("a.yml, ", 150) + "]"
	d, err := files{"a.yml": "a: 1"}.load(many)
	require.NoError(t, err)
	require.Len(t, d.Includes, 150)

	_, err = files{"a.yml": "a: 1"}.load("include: [a.yml, a.yml]", func(r *document.Request) { r.Limits.Files = 1 })
	require.EqualError(t, err, "Maximum of 1 nested includes are allowed!")

	_, err = files{"a.yml": "a: 1"}.load("include: [a.yml, a.yml]",
		func(r *document.Request) { r.Limits.TotalBytes = 30 })
	require.EqualError(t, err, "Total size of combined CI/CD configuration is too big")

	_, err = files{"a.yml": "a: " + strings.Repeat("x", 100)}.load("include: a.yml",
		func(r *document.Request) { r.Limits.FileBytes = 50 })
	require.Equal(t, "a.yml:0: `a.yml`: The provided YAML is too big", message(err))
}

func TestTimeLimit(t *testing.T) {
	t.Parallel()
	slow := readFunc(func(ctx context.Context, _ document.Location) (document.File, error) {
		<-ctx.Done()
		return document.File{}, ctx.Err()
	})
	r := document.Request{File: "f.yml", Content: []byte("include: a.yml"), Origin: origin, Files: slow,
		Limits: document.Limits{Time: time.Millisecond}}
	_, err := document.Load(context.Background(), r)
	require.Equal(t, "f.yml:1: Request timed out when fetching configuration files.", message(err))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r.Limits.Time = time.Minute
	_, err = document.Load(ctx, r)
	require.ErrorIs(t, err, context.Canceled)
}

func TestLongTexts(t *testing.T) {
	t.Parallel()
	_, err := files{}.load("a: {extends: " + strings.Repeat("x", 1<<20) + "}")
	require.ErrorContains(t, err, "a: unknown keys in `extends` (xxx")
	require.Less(t, len(err.Error()), 11_000)
}

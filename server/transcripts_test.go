package server_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

// Every route must have a request in some transcript. Only recorded answers have been reviewed.
func TestEveryRouteIsRecorded(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/api/testdata/*.txt")
	require.NoError(t, err)
	own, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	request := regexp.MustCompile(`(?m)^>>? \S+ ([A-Z]+) ([^\s?]+)`)
	told := map[string][]string{} // method → paths
	for _, f := range append(files, own...) {
		src, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range request.FindAllStringSubmatch(string(src), -1) {
			told[m[1]] = append(told[m[1]], m[2])
		}
	}
	routes, err := os.ReadFile("testdata/routes.txt")
	require.NoError(t, err)
	variable := regexp.MustCompile(`\\\{[^}]+\\\}`)
	n := 0
	for line := range strings.Lines(string(routes)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "/") {
			continue
		}
		n++
		pattern := regexp.MustCompile("^" + variable.ReplaceAllString(regexp.QuoteMeta(fields[1]), "[^/]+") + "$")
		require.True(t, matchesAny(pattern, told[fields[0]]), "no transcript asks for %s %s", fields[0], fields[1])
	}
	require.Greater(t, n, 80, "the route table was not read")
}

func matchesAny(p *regexp.Regexp, paths []string) bool {
	for _, path := range paths {
		if p.MatchString(path) {
			return true
		}
	}
	return false
}

package ci

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"

	"hew/server/ci/expression"
	"hew/server/db"
)

// coverageTail is how many bytes from the end of a trace are searched for a coverage.
const coverageTail = 8 << 20

// coverageOf returns the coverage that the trace of a job tells, by the pattern of its definition;
// nil if there is none.
func coverageOf(ctx context.Context, st *db.Store, j Job) (*float64, error) {
	d, err := ReadDefinition(ctx, st, j)
	if err != nil || d.Options.Coverage == "" {
		return nil, err
	}
	text, err := traceText(ctx, st, j, coverageTail)
	if err != nil {
		return nil, err
	}
	return coverage(text, d.Options.Coverage), nil
}

var (
	number    = regexp.MustCompile(`\d+(?:\.\d+)?`)
	escapes   = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]|section_(?:start|end):\d+:[^\r\n]*\r`)
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z \d\d[OE][ +]`)
)

// coverage returns the number in the last match of a pattern such as "/Coverage: \d+%/", in the
// last line that has one (CI facts §5). Time stamps and escape codes do not count.
func coverage(trace []byte, expr string) *float64 {
	body, ok := strings.CutPrefix(expr, "/")
	if at := strings.LastIndexByte(body, '/'); ok && at >= 0 {
		body = strings.ReplaceAll(body[:at], `\/`, "/")
	}
	if !expression.ValidRegexp(body) {
		return nil
	}
	re, err := regexp.Compile(body)
	if err != nil {
		return nil
	}
	for len(trace) > 0 {
		at := bytes.LastIndexByte(bytes.TrimSuffix(trace, []byte("\n")), '\n')
		line := bytes.TrimRight(trace[at+1:], "\r\n")
		trace = trace[:at+1]
		line = escapes.ReplaceAll(timestamp.ReplaceAll(line, nil), nil)
		all := re.FindAllSubmatch(line, -1)
		if len(all) == 0 {
			continue
		}
		last := all[len(all)-1]
		found := number.Find(last[len(last)-1])
		if value, err := strconv.ParseFloat(string(found), 64); err == nil {
			return &value
		}
	}
	return nil
}

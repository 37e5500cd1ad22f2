package document

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// localEntries returns the files of a local entry. Those of a wildcard that were included before by
// a local entry of the same project are left out.
func (l *loader) localEntries(ctx context.Context, e entry) ([]entry, error) {
	e.locate(e.keys.Get("local"))
	if !strings.Contains(e.location, "*") || e.at.From == (Origin{}) {
		return []entry{e}, nil
	}
	paths, err := l.request.Files.Match(ctx, e.at.From, e.location)
	if err != nil {
		return nil, l.placed(l.timedOut(ctx, err), e.node)
	}
	var entries []entry
	for _, path := range paths {
		if l.known[localFile{e.at.From.ProjectID, e.at.From.Project, path}] {
			continue
		}
		e.at.Path, e.location = path, path
		entries = append(entries, e)
		if len(entries) > l.limits.Files {
			break
		}
	}
	return entries, nil
}

// projectEntries returns the files of an entry for another project.
func projectEntries(e entry) []entry {
	project := e.keys.Get("project")
	if project.Kind == List {
		project = project.Items[0]
	}
	e.at.Project = strings.ToLower(project.ScalarText())
	e.at.Ref = "HEAD"
	if ref := e.keys.Get("ref"); present(ref) {
		e.at.Ref = ref.ScalarText()
	}
	files := []*Node{e.keys.Get("file")}
	if files[0].Kind == List {
		files = files[0].Items
	}
	entries := make([]entry, len(files))
	for i, file := range files {
		e.locate(file)
		entries[i] = e
	}
	return entries
}

// componentName is what the last part of a component's path may be.
var componentName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// parseComponent reads host/group/project/name@version. The path stays empty if the address is of
// another shape.
func (at *Location) parseComponent(address string) {
	at.Path = ""
	path, version, ok := strings.Cut(address, "@")
	host, path, inside := strings.Cut(path, "/")
	slash := strings.LastIndex(path, "/")
	if !ok || !inside || host == "" || version == "" || slash < 1 || !componentName.MatchString(path[slash+1:]) {
		return
	}
	at.Host, at.Ref = host, version
	at.Project, at.Path = strings.ToLower(path[:slash]), path[slash+1:]
}

// maxWildcard is how long a wildcard may be.
const maxWildcard = 1000

// Wildcard returns a function that reports whether a path is one that the pattern of a local
// include stands for: `**` is any text and `*` any text without a slash. A pattern of more than
// 1,000 bytes stands for none.
func Wildcard(pattern string) func(path string) bool {
	var b strings.Builder
	b.WriteString(`(?s)^`)
	for i, part := range strings.Split(pattern, "**") {
		if i > 0 {
			b.WriteString(`.*`)
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, `[^/]*`))
	}
	expression, err := regexp.Compile(b.String() + `$`)
	if err != nil || len(pattern) > maxWildcard {
		return func(string) bool { return false }
	}
	return expression.MatchString
}

// durationUnits are the units of the durations that `cache` may have.
var durationUnits = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour,
	"w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour,
}

// durationPart finds a number with its unit.
var durationPart = regexp.MustCompile(`^\s*(\d{1,6})\s*([a-z]*)\s*(?:,|and)?\s*`)

// parseDuration reads a duration such as "1 day", "2h 20min" or "90", which is seconds.
func parseDuration(text string) (time.Duration, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	var sum time.Duration
	for text != "" {
		part := durationPart.FindStringSubmatch(text)
		if part == nil {
			return 0, false
		}
		number, _ := strconv.Atoi(part[1])
		unit, ok := durationUnits[strings.TrimSuffix(part[2], "s")]
		if part[2] == "" || part[2] == "s" {
			unit, ok = time.Second, true
		}
		if !ok {
			return 0, false
		}
		sum += time.Duration(number) * unit
		text = text[len(part[0]):]
	}
	return sum, true
}

package servertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// names maps values that differ in every run (ids, tokens) to their names in a transcript.
type names map[string]string

// headers are the ones that transcripts record.
var headers = []string{
	"Location", "Link", "Allow", "WWW-Authenticate", "X-Total", "X-Total-Pages", "X-Next-Page",
	"X-Gitlab-Blob-Id", "X-Gitlab-Commit-Id", "X-Gitlab-Content-Sha256", "X-Gitlab-Encoding",
	"X-Gitlab-Execute-Filemode", "X-Gitlab-File-Name", "X-Gitlab-File-Path", "X-Gitlab-Last-Commit-Id",
	"X-Gitlab-Ref", "X-Gitlab-Size",
}

var (
	number   = regexp.MustCompile(`\b[0-9]{3,}\b`)
	instant  = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	bots     = regexp.MustCompile(`\b((?:group|project)_\d+_bot_)[0-9a-f]+`)
	day      = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)
	secrets  = regexp.MustCompile(`\b(gl[a-z]+[-_]|GR1348941)[A-Za-z0-9_-]{20,}`)
	digests  = regexp.MustCompile(`\b(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})\b`)
	variable = regexp.MustCompile(`\$[A-Za-z_][A-Za-z0-9_]*(\.token|\.url|\.short)?([+-][0-9]+)?`)
)

// fill puts values in the place of names: $acme, $pat.token, $today, $today+30.
func (n names) fill(text string) string {
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		if days, ok := strings.CutPrefix(name, "$today"); ok {
			var more int
			_, _ = fmt.Sscan(days, &more) // nothing there: today
			return time.Now().UTC().AddDate(0, 0, more).Format(time.DateOnly)
		}
		for value, known := range n {
			if known == name[1:] {
				return value
			}
		}
		return name
	})
}

// describe is an answer as it is recorded: status, headers, body, everything that varies named.
// Said is what requests told.
func (n names) describe(r Reply, base, said string) string {
	var out strings.Builder
	fmt.Fprintln(&out, r.Status)
	for _, h := range headers {
		if v := r.Header.Get(h); v != "" {
			fmt.Fprintf(&out, "%s: %s\n", h, n.hide(strings.ReplaceAll(v, base, "$base"), said))
		}
	}
	if body := strings.TrimSpace(pretty(r.Body)); body != "" {
		_, host, _ := strings.Cut(base, "://") // also stands behind credentials
		fmt.Fprintln(&out, n.hide(strings.NewReplacer(base, "$base", "@"+host, "@$host").Replace(body), said))
	}
	return out.String()
}

// hide replaces values by their names. Ids start above 100 on a test server, so that pages, levels
// and counts are not replaced. Values that a request has sent are not secret, and days are not
// relative, and stay.
func (n names) hide(text, said string) string {
	for _, value := range n.longest() {
		if strings.Trim(value, "0123456789") != "" {
			text = strings.ReplaceAll(text, value, "$"+n[value])
		}
	}
	text = secrets.ReplaceAllString(text, "$$token")
	text = bots.ReplaceAllString(text, "${1}$$hex")
	text = digests.ReplaceAllStringFunc(text, func(value string) string {
		if strings.Contains(said, value) {
			return value
		}
		return "$hex"
	})
	text = instant.ReplaceAllStringFunc(text, recent)
	text = day.ReplaceAllStringFunc(text, func(value string) string {
		if strings.Contains(said, value) {
			return value
		}
		return relative(value)
	})
	return number.ReplaceAllStringFunc(text, func(value string) string {
		if name, ok := n[value]; ok {
			return "$" + name
		}
		return value
	})
}

func (n names) longest() []string {
	values := make([]string, 0, len(n))
	for v := range n {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	return values
}

// recent is the name of the time that it is now, a day more or less: when something happened. Any
// other was asked for.
func recent(text string) string {
	when, err := time.Parse(time.RFC3339, text)
	if err != nil || time.Since(when).Abs() > 24*time.Hour {
		return text
	}
	return "$time"
}

// relative names a day by its distance from today, as far as a year and a bit.
func relative(text string) string {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	today := time.Now().UTC().Truncate(24 * time.Hour)
	switch days := int(d.Sub(today).Hours() / 24); {
	case days == 0:
		return "$today"
	case days > -400 && days < 400:
		return fmt.Sprintf("$today%+d", days)
	}
	return text
}

// pretty indents JSON and leaves any other text as it is.
func pretty(body []byte) string {
	var out bytes.Buffer
	if !utf8.Valid(body) || bytes.ContainsRune(body, 0) {
		return "(binary)"
	}
	if json.Indent(&out, body, "", "  ") != nil {
		return string(body)
	}
	return out.String()
}

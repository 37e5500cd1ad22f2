package catalogue

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"hew/schema/pattern"
)

// rules are the forms that the rule column names. Each says what is wrong with a value in normal
// form, or nothing. A blank text has no form: it is how a text is taken away.
var rules = map[string]func(value any) string{
	"url":      text("must be a valid URL", isURL("http", "https")),
	"rpc":      text("must be a valid URL that begins with grpc:// or tls://", isURL("grpc", "tls")),
	"page":     text("must be a valid URL or a path", isPage),
	"urls":     items("a valid URL", isURL("http", "https")),
	"email":    text("is invalid", matching(`^[^@\s]+@[^@\s]+$`)),
	"branch":   text("is not a name that git takes for a branch", IsBranchName),
	"host":     text("is not the name of a host", isHost),
	"cookie":   text("is not the name of a domain", func(s string) bool { return isHost(strings.TrimPrefix(s, ".")) }),
	"domains":  items("a domain", isDomain),
	"places":   items("a host name, an IP address or a network, each with a port or without", isPlace),
	"names":    items("a name", func(s string) bool { return s != "" && !strings.ContainsAny(s, " \t\r\n") }),
	"account":  text("must be a 12-digit number", matching(`^[0-9]{12}$`)),
	"language": text("is not a language, such as en or pt_BR", matching(`^[a-z]{2,3}([_-][A-Za-z]{2,4})?$`)),
	"ids":      ids,
	"regex": text("is not a valid regular expression",
		func(s string) bool { _, err := regexp.Compile(s); return err == nil }),
	"prefix": text("can contain only letters of the Base64 alphabet (RFC4648) with the addition of '@', ':' and '.'",
		matching(`^[a-zA-Z0-9_+=/@:.-]+$`)),
	"path": text("cannot include leading slash or directory traversal.", func(s string) bool {
		return !strings.HasPrefix(s, "/") && !strings.Contains(s, "..")
	}),
	"networks": text("must be a list of IP addresses or ranges", networks),
	"duration": text("is not a correct duration", func(s string) bool { _, ok := duration(s); return ok }),
	"age": text("must be at least 1 day", func(s string) bool {
		d, ok := duration(s)
		return ok && d >= 24*time.Hour
	}),
	"tags":  text("must have one key:value a line", eachLine(matching(`^[^:\s]+:\S(.*\S)?$`))),
	"steps": text("must be numbers, separated by commas", matching(`^\s*\d+(\s*[,;]\s*\d+)*\s*$`)),
	"port": func(v any) string {
		if n, ok := v.(int64); ok && (n < 1 || n > 65535) {
			return "must be a port, from 1 to 65535"
		}
		return ""
	},
	"true": func(v any) string {
		if v == false {
			return "can't be disabled anymore for new projects"
		}
		return ""
	},
	"storages": among([]string{"default"}, weight), // there is one storage
	"formats":  among([]string{"blockdiag", "bpmn", "excalidraw", "mermaid"}, func(string, any) string { return "" }),
}

// text makes a rule of a question about texts.
func text(wrong string, right func(string) bool) func(any) string {
	return func(v any) string {
		if s, _ := v.(string); s == "" || right(s) {
			return ""
		}
		return wrong
	}
}

var (
	span  = pattern.Lazy(`(\d+) *([a-z]+)`)
	glue  = pattern.Lazy(`^(\s|,|and)*$`)
	units = map[string]time.Duration{
		"s": time.Second, "sec": time.Second, "second": time.Second,
		"m": time.Minute, "min": time.Minute, "minute": time.Minute,
		"h": time.Hour, "hr": time.Hour, "hour": time.Hour,
		"d": 24 * time.Hour, "day": 24 * time.Hour,
		"w": 7 * 24 * time.Hour, "wk": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour,
		"mo": 30 * 24 * time.Hour, "mth": 30 * 24 * time.Hour, "month": 30 * 24 * time.Hour,
		"y": 365 * 24 * time.Hour, "yr": 365 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
	}
)

// duration reads a span of time as people write it: 30 days, 2 mos 3 hours, 3 weeks and 2 days; 0
// is no end.
func duration(s string) (d time.Duration, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "0" {
		return 0, true
	}
	spans := span().FindAllStringSubmatch(s, -1)
	for _, m := range spans {
		unit, known := units[m[2]]
		if !known {
			unit, known = units[strings.TrimSuffix(m[2], "s")]
		}
		n, err := strconv.ParseInt(m[1], 10, 32)
		if !known || err != nil || n > int64(100*365*24*time.Hour/unit) {
			return 0, false
		}
		d += time.Duration(n) * unit
	}
	return d, len(spans) > 0 && glue().MatchString(span().ReplaceAllString(s, ""))
}

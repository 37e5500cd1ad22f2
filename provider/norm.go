package provider

import (
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"
)

// normString makes a canonical form of strings out of one that knows no null; the
// API answers null for an empty text.
func normString(f func(string) string) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if v.IsNull() {
			return cty.StringVal("")
		}
		return cty.StringVal(f(v.AsString()))
	}
}

// lowerCase: upper and lower case are one (user names, full paths).
var lowerCase = normString(strings.ToLower)

// The rows of several kinds share these.
var (
	CaseInsensitive = Norm(lowerCase, "Case does not matter.")
	Unordered       = Norm(sortedList, "Order and spaces do not matter.")
)

// sortedList: a list in one text; order and spaces do not count.
var sortedList = normString(func(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
	slices.Sort(parts)
	return strings.Join(parts, ",")
})

// normTopics: as the host keeps them, without blanks, and one of each.
func normTopics(v cty.Value) cty.Value {
	if v.IsNull() || v.LengthInt() == 0 {
		return cty.SetValEmpty(cty.String)
	}
	var tidy []cty.Value
	for _, t := range v.AsValueSlice() {
		if word := strings.ToLower(strings.TrimSpace(t.AsString())); word != "" {
			tidy = append(tidy, cty.StringVal(word))
		}
	}
	if tidy == nil {
		return cty.SetValEmpty(cty.String)
	}
	return cty.SetVal(tidy)
}

// normDate: dates and times are the day they begin with.
var normDate = normString(func(s string) string {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.Format(time.DateOnly)
	}
	if t, err := time.Parse(time.DateTime, s); err == nil {
		return t.Format(time.DateOnly)
	}
	return s
})

// normURL: scheme and host in lower case, no default port, and no credentials,
// which hosts mask. The rest stands as written, for it may hold {variables}.
// wholeURL is the same with the credentials.
var (
	normURL      = normString(func(s string) string { return cleanURL(s, "") })
	normWholeURL = normString(func(s string) string { return cleanURL(s, credentials(s)) })
)

func cleanURL(s, credentials string) string {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(s), "://")
	if !ok {
		return s
	}
	scheme = strings.ToLower(scheme)
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		rest, end = rest+"/", len(rest)
	}
	host := strings.ToLower(rest[strings.LastIndex(rest[:end], "@")+1 : end])
	host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443", "ssh": ":22", "git": ":9418"}[scheme])
	return scheme + "://" + credentials + host + rest[end:]
}

// credentials are those in a URL, with the @ after them.
func credentials(s string) string {
	_, rest, _ := strings.Cut(s, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest[:strings.LastIndex(rest, "@")+1]
}

func nullIsFalse(v cty.Value) cty.Value {
	if v.IsNull() {
		return cty.False
	}
	return v
}

// nullIsEmptySet: a set that is not there has nothing in it.
func nullIsEmptySet(set cty.Type) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if v.IsNull() {
			return cty.SetValEmpty(set.ElementType())
		}
		return v
	}
}

// nullsAreEmptyStrings fills the texts in an object: null and "" are one.
func nullsAreEmptyStrings(v cty.Value) cty.Value {
	filled, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() == cty.String && v.IsNull() {
			return cty.StringVal(""), nil
		}
		return v, nil
	})
	if err != nil {
		return v
	}
	return filled
}

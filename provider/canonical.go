package provider

import (
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"
)

// normString returns a canonical form of strings that takes null for "", as the API
// answers null for an empty string.
func normString(f func(string) string) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if v.IsNull() {
			return cty.StringVal("")
		}
		return cty.StringVal(f(v.AsString()))
	}
}

// lowerCase is the form of values whose case does not matter (usernames, full paths).
var lowerCase = normString(strings.ToLower)

// Rows of several kinds share these.
var (
	CaseInsensitive = Norm(lowerCase, "Case does not matter.")
	Unordered       = Norm(sortedList, "Order and spaces do not matter.")
)

// sortedList is the form of a list in one string, whose order and spaces do not
// matter.
var sortedList = normString(func(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
	slices.Sort(parts)
	return strings.Join(parts, ",")
})

// normTopics returns topics as the host stores them: in lower case, without
// surrounding spaces, each once.
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

// normDate is the form of dates and times: the day.
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

// normURL is the form of URLs: scheme and host in lower case, without the default
// port and the credentials, which hosts mask. The rest stays as it is, as it may hold
// {variables}. normWholeURL keeps the credentials.
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
	host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443", "ssh": ":22",
		"git": ":9418"}[scheme])
	return scheme + "://" + credentials + host + rest[end:]
}

// credentials returns those in a URL, with the @ after them.
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

// nullIsEmptySet returns the form of a set for which null equals the empty set.
func nullIsEmptySet(set cty.Type) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		if v.IsNull() {
			return cty.SetValEmpty(set.ElementType())
		}
		return v
	}
}

// nullsAreEmptyStrings replaces null strings in an object by "".
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

package servertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"hew/server/db"
)

// oddValues are what the parameters of every route are tried with, as JSON; oddNumbers only those
// that are not plain text, where a number is text like any other.
var (
	oddValues = []string{
		`null`, `[]`, `[null]`, `{}`, `""`, `0`, `"` + strings.Repeat("x", 10_000) + `"`, `{"a":{"b":[1]}}`,
		`["` + strings.Repeat("x", 10_000) + `"]`,
	}
	oddNumbers = []string{
		`2147483648`, `9223372036854775807`, `9223372036854775808`, `-1`, `1e400`, `[2147483648]`,
		`[9223372036854775807]`, `[-1]`,
	}
)

// oddTexts are texts that cannot be stored, in JSON and in a query.
var oddTexts = map[string]string{`"a\u0000b"`: "a%00b", "\"a\xffb\"": "a%ffb"}

// oddSegments are what the wildcards of every path are tried with.
var oddSegments = []string{
	"2147483648", "9223372036854775807", "9223372036854775808", "-1", "0", "1e400", strings.Repeat("x", 10_000),
	"a%00b", "a%ffb", "%20", "null", "[]", "%7B%7D",
}

// usual are values of parameters that must have a certain form, by name, as JSON.
var usual = map[string]string{
	"remote-import-objectstore/path": `"odd-object"`, "remote-import-s3/path": `"odd-s3"`,
	"url": `"https://example.com/x"`, "color": `"#FF0000"`, "email": `"somebody@example.com"`,
	"access_level": `30`, "group_access": `30`, "group_access_level": `30`, "scopes": `["api"]`,
	"expires_at": `"` + db.Today().Add(30).String() + `"`, "password": `"long-and-odd-enough-7"`,
	"variables/key": `"ODD_KEY"`, "token": `"odd"`, "serial": `1`,
	"key":  `"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"`,
	"name": `"odd"`, "path": `"odd"`, "action": `"create"`, "ref": `"main"`, "from": `"main"`, "to": `"main"`,
}

// pairs returns the pairs of a query for a value of a parameter in JSON.
func pairs(name, value string) []string {
	if text, ok := oddTexts[value]; ok {
		return []string{name + "=" + text}
	}
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return []string{name + "=" + url.QueryEscape(value)}
	}
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		if len(v) == 0 {
			return []string{name + "[]="}
		}
		return []string{name + "[]=" + url.QueryEscape(fmt.Sprint(v[0]))}
	case map[string]any:
		return []string{name + "[a][b]=1"}
	default:
		return []string{name + "=" + url.QueryEscape(fmt.Sprint(v))}
	}
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a text always has a JSON form
	return string(text)
}

// object returns an object of fields that are JSON.
func object(fields map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		list = append(list, quoted(name)+":"+fields[name])
	}
	return "{" + strings.Join(list, ",") + "}"
}

func with(base, more map[string]string) map[string]string {
	all := maps.Clone(base)
	maps.Copy(all, more)
	return all
}

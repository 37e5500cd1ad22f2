package errortracking_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/errortracking"
)

func read(t *testing.T, text string) errortracking.Report {
	t.Helper()
	r, err := errortracking.ReadReport([]byte(text), "")
	require.NoError(t, err, "%.300s", text)
	require.Len(t, r.Fingerprint, 32)
	require.Len(t, r.EventID, 32)
	require.LessOrEqual(t, len(r.Payload), 64<<10)
	return r
}

// exception is an event with an exception that occurred at a line of a function of the program,
// called from a library.
func exception(kind, value, function string, line int) string {
	return fmt.Sprintf(`{"exception":{"values":[{"type":%q,"value":%q,"stacktrace":{"frames":[
		{"function":"serve","module":"net/http","lineno":%d,"in_app":false},
		{"function":%q,"module":"shop","lineno":%d,"in_app":true}]}}]}}`, kind, value, line, function, line)
}

// Events are grouped by what is the same the next time.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	of := func(text string) string { return read(t, text).Fingerprint }
	base := of(exception("E", "order 7", "pay", 10))
	require.Equal(t, base, of(exception("E", "order 8", "pay", 11)), "neither lines nor values count")
	require.NotEqual(t, base, of(exception("F", "order 7", "pay", 10)))
	require.NotEqual(t, base, of(exception("E", "order 7", "ship", 10)))

	given := func(list string) string {
		return of(strings.Replace(exception("E", "order 7", "pay", 10), "{", `{"fingerprint":`+list+`,`, 1))
	}
	require.Equal(t, base, given(`["{{ default }}"]`))
	require.Equal(t, base, given(`["{{default}}"]`))
	require.Equal(t, base, given(`[]`))
	require.Equal(t, base, given(`"x"`), "an odd one counts as none")
	require.NotEqual(t, base, given(`["{{ default }}","x"]`))
	require.Equal(t, given(`["a",7]`), of(`{"message":"other","fingerprint":["a","7"]}`))

	require.Equal(t, of(`{"message":"a","logger":"x"}`), of(`{"logentry":{"message":"a"},"logger":"x","level":"info"}`))
	require.Equal(t, of(`{"logentry":{"message":"%s failed","formatted":"a failed"}}`),
		of(`{"logentry":{"message":"%s failed","formatted":"b failed"}}`))
	require.NotEqual(t, of(`{"message":"a","logger":"x"}`), of(`{"message":"a","logger":"y"}`))
	require.NotEqual(t, of(`{"exception":{"type":"E","value":"a"}}`), of(`{"exception":{"type":"E","value":"b"}}`),
		"without places what it says counts")
	require.Equal(t, of(`{"exception":{"type":"E","value":"a"}}`), of(`{"exception":[{"type":"E","value":"a"}]}`))
}

// An address that the server is to fill in names nobody.
func TestUserOfReport(t *testing.T) {
	t.Parallel()
	require.Empty(t, read(t, `{"user":{"ip_address":"{{auto}}"}}`).User)
	require.Equal(t, "id:7", read(t, `{"user":{"id":7,"ip_address":"{{auto}}"}}`).User)
	require.Equal(t, "ip_address:192.0.2.1", read(t, `{"user":{"ip_address":"192.0.2.1"}}`).User)
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := read(t, strings.Replace(exception("E", "order 7", "pay", 10), "{",
		`{"event_id":"9ec79c33-ec99-42ab-8353-589fcb2e04dc","level":"fatal","platform":"go","release":"1.0",`, 1))
	require.Equal(t, "9ec79c33ec9942ab8353589fcb2e04dc", r.EventID)
	require.Equal(t, []string{"E", "order 7", "pay(shop)", "fatal", "go", "1.0"},
		[]string{r.Name, r.Description, r.Actor, r.Level, r.Platform, *r.Release})
	require.Nil(t, r.Environment)

	r = read(t, `{"message":"first\nsecond","transaction":"/pay","user":{"email":"a@example.com"}}`)
	require.Equal(t, []string{"first", "first\nsecond", "/pay", "error", "other", "email:a@example.com"},
		[]string{r.Name, r.Description, r.Actor, r.Level, r.Platform, r.User})
	require.Equal(t, "<unlabeled event>", read(t, `{}`).Name)
}

// People and secrets are left out.
func TestPayload(t *testing.T) {
	t.Parallel()
	r := read(t, `{"user":{"id":7,"email":"hush","ip_address":"hush"},"server_name":"a","modules":{"hush":"1"},
		"request":{"url":"https://hush:hush@host/a?hush#hush","method":"GET","query_string":"hush","data":"hush",
		           "cookies":"hush","env":{"a":"hush"},
		           "headers":{"Cookie":"hush","Authorization":"hush","X-Forwarded-For":"hush","User-Agent":"x"}},
		"exception":{"values":[{"type":"E","stacktrace":{"frames":[{"function":"f","vars":{"a":"hush"}}]}}]},
		"breadcrumbs":[{"message":"m","data":{"a":"hush"}}],"tags":[["a","b"]],
		"extra":{"api_key":"hush","User-Email":"hush","a":{"Set-Cookie":"hush","n":1}},
		"contexts":{"response":{"headers":{"a":"hush"},"status_code":500}}}`)
	require.NotContains(t, string(r.Payload), "hush")
	require.JSONEq(t, `{"event_id":"`+r.EventID+`","user":{"id":7},"server_name":"a","tags":[["a","b"]],
		"extra":{"a":{"n":1}},"contexts":{"response":{"status_code":500}},
		"request":{"url":"https://host/a","method":"GET","headers":{"User-Agent":"x"}},
		"exception":{"values":[{"type":"E","stacktrace":{"frames":[{"function":"f"}]}}]},
		"breadcrumbs":[{"message":"m"}]}`, string(r.Payload))
	r = read(t, `{"request":{"headers":[["Cookie","hush"],["Host","h"]]}}`)
	require.Contains(t, string(r.Payload), `"headers":{"Host":"h"}`)
}

// Whatever is sent is kept within limits, or refused in words.
func TestHostileEvents(t *testing.T) {
	t.Parallel()
	keys := []string{
		"event_id", "timestamp", "platform", "level", "logger", "logentry", "message", "transaction", "release",
		"environment", "tags", "contexts", "extra", "fingerprint", "exception", "breadcrumbs", "request", "user",
		"culprit", "server_name",
	}
	values := []string{
		`null`, `true`, `1e999999999`, `-1`, `"a\u0000\ud800b"`, "\"\xff\xfe\"", `[]`, `{}`, `[[[[[[[[1]]]]]]]]`,
		`{"values":1}`, `{"values":[1,{"stacktrace":1},{"type":{},"stacktrace":{"frames":[1,{"function":[]}]}}]}`,
		`{"headers":[1,[1,2],[{},[]]],"url":"%%%","cookies":1}`, `{"message":{},"formatted":[]}`,
		`"` + strings.Repeat("x", 300_000) + `"`, `[` + strings.Repeat(`"y",`, 100_000) + `1]`,
		strings.Repeat(`{"a":`, 5_000) + `1` + strings.Repeat(`}`, 5_000),
		`{"values":[` + strings.Repeat(`{"type":"`+strings.Repeat("z", 999)+`","stacktrace":{"frames":[`+
			strings.Repeat(`{"context_line":"`+strings.Repeat("c", 999)+`"},`, 20)+`{}]}},`, 20) + `{}]}`,
	}
	for _, key := range keys {
		for _, value := range values {
			r := read(t, fmt.Sprintf(`{%q:%s}`, key, value))
			require.True(t, json.Valid(r.Payload))
			require.NotContains(t, string(r.Payload), `\u0000`)
			require.NotEmpty(t, r.Name)
		}
	}
	for _, text := range []string{
		``, `null`, `[]`, `"x"`, `{`, `{}{}`, "{\"a\":\"\x00\"}", "\x1f\x8b", strings.Repeat(`{"a":`, 20_000) + `1` +
			strings.Repeat(`}`, 20_000),
	} {
		_, err := errortracking.ReadReport([]byte(text), "")
		require.ErrorContains(t, err, "an event must be a JSON object", "%.50s", text)
	}
}

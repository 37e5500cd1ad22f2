package servertest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	t.Parallel()
	n := names{"102": "alice", "2001": "acme", "a-token-that-was-made": "pat.token"}
	require.Equal(t, "/groups/2001/members/102?x=$unknown", n.fill("/groups/$acme/members/$alice?x=$unknown"))
	require.Equal(t, "a-token-that-was-made", n.fill("$pat.token"))
	today := time.Now().UTC()
	require.Equal(t, today.AddDate(0, 0, -3).Format(time.DateOnly), n.fill("$today-3"))
	require.Equal(t, today.Format(time.DateOnly), n.fill("$today"))

	fixed := today.AddDate(0, 0, 8).Format(time.DateOnly) // as a transcript has it that is played on that day
	got := n.describe(Reply{
		Status: 201,
		Header: http.Header{"Location": {"http://host/groups/2001"}, "X-Request-Id": {"not recorded"}},
		Body: []byte(`{"id":2001,"access_level":50,"user_id":102,"size":20015,"at":"2026-01-02T03:04:05.678Z",` +
			`"now":"` + today.Format(time.RFC3339Nano) + `","told":"0123456789abcdef","made":"0123456789abcdff",` +
			`"due":"` + today.AddDate(0, 0, 7).Format(time.DateOnly) + `","asked":"` + fixed +
			`","born":"1999-01-02","token":"a-token-that-was-made",` +
			`"other":"glpat-ABCDEFGHIJKLMNOPQRSTUVWXYZ"}`),
	}, "http://host", `{"key":"0123456789abcdef","asked":"`+fixed+`"}`)
	require.Equal(t, `201
Location: $base/groups/$acme
{
  "id": $acme,
  "access_level": 50,
  "user_id": $alice,
  "size": 20015,
  "at": "2026-01-02T03:04:05.678Z",
  "now": "$time",
  "told": "0123456789abcdef",
  "made": "$hex",
  "due": "$today+7",
  "asked": "`+fixed+`",
  "born": "1999-01-02",
  "token": "$pat.token",
  "other": "$token"
}
`, got)
	require.Equal(t, "200\n(binary)\n", n.describe(Reply{Status: 200, Body: []byte("\x1f\x8b")}, "http://host", ""))
	require.Equal(t, "204\n", n.describe(Reply{Status: 204}, "http://host", ""))
}

package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErrorBodies(t *testing.T) {
	t.Parallel()
	type fields = map[string][]string
	for _, test := range []struct {
		status int
		body   string
		want   string
		fields fields
	}{
		{404, `{"message":"404 Project Not Found"}`, "404 Project Not Found", nil},
		{403, `{"message":"403 Forbidden - Must be admin to use sudo"}`, "403 Forbidden - Must be admin to use sudo",
			nil},
		{400, `{"message":{"path":["is too short","has already been taken"],"name":["is blank"]}}`,
			"400 name: is blank; path: is too short, has already been taken",
			fields{"name": {"is blank"}, "path": {"is too short", "has already been taken"}}},
		{400, `{"message":{"namespace":{"path":["is reserved"]},"base":["no seats left"]}}`,
			"400 no seats left; namespace.path: is reserved",
			fields{"namespace.path": {"is reserved"}}},
		{400, `{"message":{"expires_at":"is in the past"}}`, "400 expires_at: is in the past",
			fields{"expires_at": {"is in the past"}}},
		{422, `{"message":["Branch is protected","Rule exists"]}`, "422 Branch is protected, Rule exists", nil},
		{400, `{"message":"Failed to save group {:path=>[\"has already been taken\", \"is odd\"], :name=>[\"is blank\"]}"}`,
			"400 Failed to save group: path: has already been taken, is odd; name: is blank",
			fields{"path": {"has already been taken", "is odd"}, "name": {"is blank"}}},
		{400, `{"message":"Failed to save group {path: [\"is reserved\"]}"}`,
			"400 Failed to save group: path: is reserved", fields{"path": {"is reserved"}}},
		{400, `{"message":"Failed to save note {}"}`, "400 Failed to save note {}", nil},
		{400, `{"error":"title is missing, name is empty"}`, "400 title is missing, name is empty", nil},
		{401, `{"error":"invalid_token","error_description":"Token was revoked."}`,
			"401 Token was revoked. (invalid_token)", nil},
		{403, `{"error":"insufficient_scope","error_description":"Too few privileges.","scope":"api sudo"}`,
			"403 insufficient_scope; requires a token with the scope api or sudo", nil},
		{429, `{"message":{"error":"This endpoint has been requested too many times."}}`,
			"429 This endpoint has been requested too many times.", nil},
		{429, "Retry later\n", "429 Retry later", nil},
		{400, `{"errors":"cannot reach the host"}`, "400 cannot reach the host", nil},
		{400, `{"message":"Invalid json","error":"Invalid json"}`, "400 Invalid json", nil},
		{500, `{"message":"500 Internal Server Error"}`, "500 Internal Server Error", nil},
		{502, "<html><head><title>x</title></head><body>\n<h1>Bad\n Gateway</h1></body></html>", "502 Bad Gateway",
			nil},
		{404, ``, "404 Not Found", nil},
		{409, `{}`, "409 Conflict", nil},
	} {
		e := &Error{Method: "PUT", Path: "x", Status: test.status}
		e.describe([]byte(test.body))
		require.Equal(t, "PUT /x: "+test.want, e.Error(), test.body)
		require.Equal(t, test.fields, e.Fields, test.body)
	}
	e := &Error{Status: 502}
	e.describe([]byte(strings.Repeat("ä", 9000)))
	require.Less(t, len(e.Error()), longestMessage+40)
}

// A secret is hidden in every form that a host may quote it in, before anything is cut off.
func TestErrorHidesSecrets(t *testing.T) {
	t.Parallel()
	const secret = "-----BEGIN-----\n  a+b/c \"d\"\n-----END-----"
	for _, quote := range []string{secret, strconv.Quote(secret), "https://x/" + url.PathEscape(secret), "?a=" +
		url.QueryEscape(secret), strings.Repeat("x", longestMessage-20) + secret} {
		body, err := json.Marshal(map[string]any{"message": map[string]any{"key": []string{"no good: " + quote}}})
		require.NoError(t, err)
		e := &Error{Status: 422}
		e.describe(body)
		e.Hide(secret)
		require.NotContains(t, e.Error()+fmt.Sprint(e.Fields), "BEGIN", quote)
	}
}

// A25: a refusal names the endpoint and the role that it takes.
func TestErrorSaysWhatItTakes(t *testing.T) {
	t.Parallel()
	e := &Error{Method: "POST", Path: "projects/a%2Fb/hooks", Status: 403, Message: "403 Forbidden",
		Need: "the role maintainer", RequestID: "01H"}
	require.Equal(t, "POST /projects/a%2Fb/hooks: 403 Forbidden; requires the role maintainer (request 01H)", e.Error())
}

func TestPredicates(t *testing.T) {
	t.Parallel()
	is := map[string]func(error) bool{"not found": IsNotFound, "forbidden": IsForbidden, "unauthorized": IsUnauthorized,
		"conflict": IsConflict, "unsupported": IsUnsupported, "unknown": IsUnknown}
	for _, test := range []struct {
		status int
		body   string
		want   string
	}{
		{404, `{"message":"404 Not Found"}`, "not found"},
		{404, `{"error":"404 Not Found"}`, "not found unsupported"},
		{405, `{"error":"405 Not Allowed"}`, "unsupported"},
		{405, `{"error":"Keyset pagination is not yet available for this type of request"}`, ""},
		{501, ``, "unsupported"},
		{401, ``, "unauthorized"},
		{403, ``, "forbidden"},
		{409, ``, "conflict"},
		{400, `{"message":{"path":["has already been taken"]}}`, "conflict"},
		{422, `{"message":"Push rule already exists"}`, "conflict"},
		{400, `{"message":"is odd"}`, ""},
	} {
		e := &Error{Status: test.status}
		e.describe([]byte(test.body))
		err := fmt.Errorf("wrapped: %w", e)
		for name, holds := range is {
			require.Equal(t, contains(test.want, name), holds(err), "%d %s: %s", test.status, test.body, name)
			require.False(t, holds(errors.New("another")))
		}
	}
}

// contains finds a predicate's name in a list whose names may hold spaces.
func contains(list, name string) bool {
	return strings.Contains(" "+list+" ", " "+name+" ")
}

package rest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/rest"
)

// The bodies of gaps §1.1, by the fault that makes them.
func TestFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err    error
		status int
		want   string
	}{
		{fault.NotFound("Project"), 404, `{"message":"404 Project Not Found"}`},
		{fault.NotFound(""), 404, `{"message":"404 Not Found"}`},
		{fault.NoRecord(), 404, `{"message":"404 Not found"}`},
		{fault.NotFound("No linked LDAP groups found").In(fault.Text), 404,
			`{"message":"No linked LDAP groups found"}`},
		{fault.Unauthorized(), 401, `{"message":"401 Unauthorized"}`},
		{fault.InvalidToken("Token was revoked."), 401,
			`{"error":"invalid_token","error_description":"Token was revoked."}`},
		{fault.InsufficientScope("api", "sudo"), 403, `{"error":"insufficient_scope",` +
			`"error_description":"The request requires higher privileges than provided by the access token.","scope":"api sudo"}`},
		{fault.Forbidden(""), 403, `{"message":"403 Forbidden"}`},
		{fault.Forbidden("Must be admin to use sudo"), 403, `{"message":"403 Forbidden - Must be admin to use sudo"}`},
		{fault.BadRequest(""), 400, `{"message":"400 Bad request"}`},
		{fault.BadRequest(`"title" not given`), 400, `{"message":"400 Bad request - \"title\" not given"}`},
		{fault.Param("title is missing"), 400, `{"error":"title is missing"}`},
		{fault.Invalid("path", "has already been taken").On("name", "is too short", "is odd"), 400,
			`{"message":{"name":["is too short","is odd"],"path":["has already been taken"]}}`},
		{fault.Unprocessable("").On("url", "is blocked"), 422, `{"message":{"url":["is blocked"]}}`},
		{fault.Unprocessable("Invalid url given").In(fault.Parameter), 422, `{"error":"Invalid url given"}`},
		{fault.Unprocessable("has gone").In(fault.List), 422, `{"message":["has gone"]}`},
		{fault.Unprocessable("bad host").In(fault.Service), 422, `{"errors":"bad host"}`},
		{fault.Unprocessable(""), 422, `{"message":"422 Unprocessable Entity"}`},
		{fault.Conflict("Member already exists"), 409, `{"message":"Member already exists"}`},
		{fault.Conflict(""), 409, `{"message":"409 Conflict"}`},
		{fault.NotAllowed(""), 405, `{"message":"405 Method Not Allowed"}`},
		{fault.NotAcceptable(), 406, `{"message":"406 Not Acceptable"}`},
		{fault.PreconditionFailed(), 412, `{"message":"412 Precondition Failed"}`},
		{fault.TooLarge(), 413, `{"message":"413 Request Entity Too Large"}`},
		{fault.TooMany(""), 429,
			`{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`},
		{fault.TooMany("Retry later").In(fault.Raw), 429, `Retry later`},
		{fault.NotImplemented("branches"), 501, `{"message":"501 Not Implemented - branches"}`},
		{fault.Unavailable(), 503, `{"message":"503 Service Unavailable"}`},
		{fault.NotModified(), 304, ``},
		{fault.Moved("Project", "a/b", "a/c"), 404, `{"message":"404 Project Not Found"}`}, // not a reading verb
		{fmt.Errorf("wrapped: %w", fault.Forbidden("")), 403, `{"message":"403 Forbidden"}`},
		{&fault.Error{}, 500, `{"message":"500 Internal Server Error"}`},
		{&fault.Error{Code: "odd", What: "secret"}, 500, `{"message":"500 Internal Server Error"}`},
		{errors.New("password=hunter2"), 500, `{"message":"500 Internal Server Error"}`},
	}
	for _, tt := range tests {
		h := rest.New(rest.Config{Log: quiet}, []rest.Route{rest.Post("/x", anyone, answers(0, tt.err))})
		w := serve(h, "POST", "/api/v4/x", "")
		require.Equal(t, tt.status, w.Code, "%v", tt.err)
		require.Equal(t, tt.want, w.Body.String(), "%v", tt.err)
		require.Equal(t, tt.status == http.StatusTooManyRequests, w.Header().Get("Retry-After") == "60")
	}
}

// A redirect replaces the wildcard that named the thing, and nothing that only looks like it.
func TestMoved(t *testing.T) {
	t.Parallel()
	moved := rest.Guard[rest.None]{
		Need: "a group",
		Open: func(_ context.Context, r *http.Request) (rest.None, error) {
			return rest.None{}, fault.Moved("Group", r.PathValue("id"), "acme/people")
		},
	}
	h := rest.New(rest.Config{Log: quiet, Base: "https://code.example/base"}, []rest.Route{
		rest.Get("/groups/{id}/members/{user_id}", moved, answers(0, nil)),
	})
	w := serve(h, "GET", "/api/v4/groups/groups/members/7?a=1&b[]=2", "")
	require.Equal(t, http.StatusMovedPermanently, w.Code)
	const to = "https://code.example/base/api/v4/groups/acme%2Fpeople/members/7?a=1&b[]=2"
	require.Equal(t, to, w.Header().Get("Location"))
	require.Equal(t, `{"message":"This resource has been moved permanently to `+to+`"}`, w.Body.String())

	w = serve(h, "GET", "/api/v4/groups/groups/members/7?private_token=T&a=1", "")
	require.Equal(t, strings.TrimSuffix(to, "?a=1&b[]=2")+"?private_token=T&a=1", w.Header().Get("Location"),
		"who follows is the same")
	require.Equal(t, `{"message":"This resource has been moved permanently to `+strings.TrimSuffix(to, "&b[]=2")+`"}`,
		w.Body.String())

	w = serve(h, "HEAD", "/api/v4/groups/groups/members/7", "")
	require.Equal(t, "https://code.example/base/api/v4/groups/acme%2Fpeople/members/7", w.Header().Get("Location"))
}

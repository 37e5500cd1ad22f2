package provider

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// A host that answers 200 and does something else is found out (D08 and promise
// 2); secrets are not in the error.
func TestWritesAreVerified(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"POST /groups": {status: 201,
			body: `{"id":3,"path":"web","name":"web","visibility":"private","lfs_enabled":null}`},
		"PUT /groups/{id}":           {status: 200, body: `{"id":3,"path":"web","mentions_disabled":false}`},
		"PUT /groups/{id}/members/5": {status: 200, body: `{"id":5,"access_level":30}`},
		"PUT /projects/7/hooks/71":   {status: 200, body: `{"id":71,"url":"https://elsewhere/","token":"other"}`},
	})
	o, err := h.Create(t.Context(), declared(the(group), "path", "web", "visibility", "public", "lfs_enabled", false))
	require.ErrorContains(t, err, `did not change visibility (sent "public", has "private")`)
	require.NotContains(t, err.Error(), "lfs_enabled", "null is false")
	require.Equal(t, "3", o.ID, "what exists is reported beside the error")
	require.NotContains(t, err.Error(), "path (")

	to := declared(the(group), "path", "web", "mentions_disabled", true)
	_, err = h.Update(t.Context(), found(to, "3"), schema.Assigns(to, "mentions_disabled"))
	require.ErrorContains(t, err, "mentions_disabled (sent true, has false)")

	to = declared(the(groupMember), "group", acme, "user", alice, "access_level", "owner")
	_, err = h.Update(t.Context(), found(to, "5"), schema.Assigns(to, "access_level"))
	require.ErrorContains(t, err, "access_level (sent owner, has developer)")

	to = declared(the(projectHook), "project", api, "url", "https://bot:hunter2@h.example", "token",
		cty.StringVal("s3cret").Mark(schema.Secret))
	_, err = h.Update(t.Context(), found(to, "71"), schema.Assigns(to, "url", "token"))
	require.ErrorContains(t, err, `url (sent "https://h.example/", has "https://elsewhere/")`)
	require.NotContains(t, err.Error(), "s3cret")
	require.NotContains(t, err.Error(), "hunter2")
}

// A25: a refusal names the endpoint and the role that it takes.
func TestWritesThatFail(t *testing.T) {
	t.Parallel()
	taken := says{status: 400, body: `{"message":{"path":["has already been taken"]}}`}
	h := serve(t, script{
		"POST /groups": {status: 400,
			body: `{"message":"Failed to save group {:path=>[\"has already been taken\"]}"}`},
		"POST /projects":              taken,
		"POST /groups/{id}/members":   {status: 409, body: `{"message":"Member already exists"}`},
		"POST /projects/{id}/hooks":   {status: 403, body: `{"message":"403 Forbidden"}`},
		"PUT /groups/{id}":            {status: 404, body: `{"message":"404 Group Not Found"}`},
		"DELETE /groups/{id}":         {status: 404, body: `{"message":"404 Group Not Found"}`},
		"DELETE /projects/{id}":       {status: 403, body: `{"message":"403 Forbidden"}`},
		"DELETE /groups/12/members/5": {status: 204},
	})
	for _, o := range []schema.Object{
		declared(the(group), "path", "web"),
		declared(the(project), "namespace", acme, "path", "web"),
		declared(the(groupMember), "group", acme, "user", alice, "access_level", 30),
	} {
		got, err := h.Create(t.Context(), o)
		require.ErrorIs(t, err, schema.ErrExists)
		require.ErrorContains(t, err, "already")
		require.Empty(t, got.ID)
	}
	_, err := h.Create(t.Context(), declared(the(projectHook), "project", api, "url", "https://h.example"))
	require.EqualError(t, err, "POST /projects/7/hooks: 403 Forbidden; requires Maintainer of the project")

	sent := len(h.asked)
	_, err = h.Create(t.Context(), declared(the(groupMember), "group", acme, "user", &schema.Ref{Path: "zoe"},
		"access_level", 30))
	require.ErrorContains(t, err, "user: user zoe does not exist")
	_, err = h.Create(t.Context(), declared(the(group), "path", cty.UnknownVal(cty.String)))
	require.ErrorContains(t, err, "path of the group is not known yet")
	to := declared(the(group), "parent", &schema.Ref{Path: "planned"}, "path", "web")
	_, err = h.Update(t.Context(), found(declared(the(group), "path", "web"), "3"), schema.Assigns(to, "parent"))
	require.ErrorContains(t, err, "parent: group planned does not exist")
	require.Len(t, h.asked, sent, "none was sent")

	to = declared(the(group), "path", "web", "description", "x")
	o, err := h.Update(t.Context(), found(to, "3"), schema.Assigns(to, "description"))
	require.True(t, client.IsNotFound(err))
	require.Equal(t, "3", o.ID)

	require.NoError(t, h.Delete(t.Context(), found(declared(the(group)), "3")), "gone is gone")
	require.ErrorContains(t, h.Delete(t.Context(), found(declared(the(project)), "7")), "Owner to transfer")
	require.NoError(t, h.Delete(t.Context(), found(declared(the(groupMember), "group", acme, "user",
		&schema.Ref{ID: "5"}), "5")), "A12: by id")
	require.ErrorContains(t, h.Delete(t.Context(), found(declared(the(projectHook), "project", api), "71")), "404",
		"no such endpoint is no success")
}

// A25: whatever is refused, of whichever kind, names the endpoint and the role
// that it takes.
func TestRefusalsNameTheRole(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		if k.API.Items == "" || k.API.Disable != nil { // what has no deletion is told in odd_test.go
			return
		}
		forbidden := says{status: 403, body: `{"message":"403 Forbidden"}`}
		h := serve(t, script{
			"GET /{all...}": {status: 200, body: `{"id":7}`}, "POST /{all...}": forbidden, "PUT /{all...}": forbidden,
			"PATCH /{all...}": forbidden, "DELETE /{all...}": forbidden,
		})
		o := standing(k)
		_, created := h.Create(t.Context(), schema.Object{Kind: o.Kind, Value: o.Value})
		_, updated := h.Update(t.Context(), o, schema.Assigns(o, firstPlain(k)))
		for method, err := range map[string]error{"POST": created, "PUT": updated, "DELETE": h.Delete(t.Context(), o)} {
			switch {
			case method == "PUT" && k.API.Recreate:
				method = "DELETE" // the first half of it
			case method == "POST":
				method = cmp.Or(k.API.Create, method)
			}
			if method == "PUT" {
				method = cmp.Or(k.API.Update, method)
			}
			require.ErrorContains(t, err, k.Need, method)
			require.ErrorContains(t, err, method+" /")
			require.True(t, client.IsForbidden(err))
		}
	})
}

// D22: whatever is to go, of whichever kind, and is gone already, has been deleted; but a host that
// has no such endpoint has deleted nothing.
func TestGoneIsDeleted(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		if k.API.Items == "" || k.API.Disable != nil || k.Data != nil {
			return
		}
		for body, gone := range map[string]bool{
			`{"message":"404 Not found"}`: true, `{"message":"404 ` + k.Name + ` Not Found"}`: true,
			`{"error":"404 Not Found"}`: false,
		} {
			h := serve(t, script{"DELETE /{all...}": {status: 404, body: body}})
			err := h.Delete(t.Context(), standing(k))
			require.Equal(t, gone, err == nil, "%s: %v", body, err)
			require.Len(t, h.asked, 1)
		}
	})
}

// standing is an object of the kind as the host has it, below owner 12.
func standing(k *Kind) schema.Object {
	o := schema.Object{Kind: &k.Kind, ID: "7"}
	for a := range k.Arguments() {
		switch {
		case a.RefKind() != "" && !a.ManyRefs():
			o.Value.Set(a, schema.RefVal(&schema.Ref{ID: "12"}))
		case strings.Contains(k.API.Item+k.API.Items+k.API.Delete, "{"+a.Name+"}"):
			o.Value.Set(a, filled(a))
		}
	}
	return o
}

// filled is some text that the attribute takes and that is not empty.
func filled(a *schema.Attr) cty.Value {
	for _, v := range samples(a) {
		if v.Type() != cty.String || v.AsString() != "" {
			return v
		}
	}
	panic("nothing states " + a.Name)
}

// Hosts quote what they refuse, secrets too.
func TestRefusalsDoNotRepeatSecrets(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"POST /projects/{id}/hooks": {status: 422, body: `{"message":{"token":["s3cret is too short"]}}`},
		"PUT /projects/{id}/hooks/{hook}": {status: 400,
			body: `{"message":"400 Bad request - s3cret and hush are refused"}`},
	})
	hook := declared(the(projectHook), "project", api, "url", "https://h.example/", "token",
		cty.StringVal("s3cret").Mark(schema.Secret),
		"custom_headers", cty.MapVal(map[string]cty.Value{"X-Key": cty.StringVal("hush")}))
	_, err := h.Create(t.Context(), hook)
	require.EqualError(t, err, "POST /projects/7/hooks: 422 token: (secret) is too short")
	_, err = h.Update(t.Context(), found(hook, "71"), schema.Assigns(hook, "token"))
	require.EqualError(t, err, "PUT /projects/7/hooks/71: 400 Bad request - (secret) and (secret) are refused")
}

// What a host does not have, it calls not implemented; that is no mystery of
// the network, and nothing to be tried again.
func TestWritesBeyondTheHost(t *testing.T) {
	t.Parallel()
	h := serve(t, script{
		"POST /projects": {status: 501,
			body: `{"message":"501 Not Implemented - a first commit (initialize_with_readme) comes later"}`},
	})
	got, err := h.Create(t.Context(), declared(the(project), "namespace", acme, "path", "api", "initialize_with_readme",
		true))
	require.EqualError(t, err, "this host does not support all arguments of the project; remove the unsupported ones: "+
		"POST /projects: 501 Not Implemented - a first commit (initialize_with_readme) comes later")
	require.True(t, client.IsUnsupported(err))
	require.Empty(t, got.ID)
	require.Len(t, h.asked, 1, "neither repeated nor looked for")

	to := declared(the(project), "namespace", acme, "path", "api", "archived", true)
	_, err = h.Update(t.Context(), found(declared(the(project), "namespace", acme, "path", "api"), "7"),
		schema.Assigns(to, "archived"))
	require.ErrorContains(t, err, "remove the unsupported ones: POST /projects/7/archive: 404")
}

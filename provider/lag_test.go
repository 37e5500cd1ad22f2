package provider

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// refuse answers times requests with first, and those after them with then.
func refuse(times int32, first, then says) says {
	var n atomic.Int32
	return says{do: func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) <= times {
			reply(w, first.status, first.body)
			return
		}
		reply(w, then.status, then.body)
	}}
}

// A host may not know a new owner for a moment: what is created in it is sent again. An owner that
// the run did not create is not waited for.
func TestNewOwnersAreWaitedFor(t *testing.T) {
	t.Parallel()
	missing := says{status: 404, body: `{"message":"404 Group Not Found"}`}
	made := says{status: 201, body: `{"id":9,"name":"bug","color":"#ff0000"}`}
	h := serve(t, script{
		"POST /groups":           {status: 201, body: `{"id":3,"path":"web","full_path":"web","name":"web"}`},
		"POST /groups/3/labels":  refuse(2, missing, made),
		"POST /groups/12/labels": refuse(1, missing, made),
	})
	created, err := h.Create(t.Context(), declared(the(group), "path", "web"))
	require.NoError(t, err)
	label := func(in *schema.Ref) schema.Object {
		return declared(the(groupLabel), "group", in, "name", "bug", "color", "#ff0000")
	}
	o, err := h.Create(t.Context(), label(&schema.Ref{ID: created.ID, Path: "web"}))
	require.NoError(t, err)
	require.Equal(t, "9", o.ID)

	_, err = h.Create(t.Context(), label(acme))
	require.ErrorContains(t, err, "404 Group Not Found")
}

// A deploy key that another project gets at the same time collides once, and then is the same key.
// A label that is taken stays taken.
func TestSharedObjectsAreSentAgain(t *testing.T) {
	t.Parallel()
	key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHqkXkF0dGVzdGtleXRlc3RrZXl0ZXN0a2V5dGVzdGtl"
	h := serve(t, script{
		"POST /projects/7/deploy_keys": refuse(1,
			says{status: 400, body: `{"message":{"fingerprint_sha256":["has already been taken"]}}`},
			says{status: 201, body: `{"id":5,"title":"ci","key":"` + key + `","can_push":false}`}),
		"GET /projects/7/deploy_keys": list(),
		"GET /projects/7/labels":      list(),
		"POST /projects/7/labels": refuse(
			1, says{status: 409, body: `{"message":"Label already exists"}`}, says{status: 201},
		),
	})
	o, err := h.Create(t.Context(), declared(the(deployKey), "project", api, "title", "ci", "key", key))
	require.NoError(t, err)
	require.Equal(t, "5", o.ID)

	_, err = h.Create(t.Context(), declared(the(projectLabel), "project", api, "name", "bug", "color", "#ff0000"))
	require.ErrorContains(t, err, "Label already exists")
}

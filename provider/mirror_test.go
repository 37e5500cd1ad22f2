package provider

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// A pull mirror whose last pull failed says so. A project that failed to import and is not a mirror
// does not.
func TestFailedPullMirror(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`"mirror":true,"import_status":"failed","import_error":"no such host"`:  "the last pull failed: no such host",
		`"mirror":true,"import_status":"failed","import_error":null`:            "the last pull failed",
		`"mirror":true,"import_status":"finished","import_error":null`:          "",
		`"mirror":false,"import_status":"failed","import_error":"no such host"`: "",
	} {
		h := serve(t, script{"GET /projects/{id}": {do: func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 200, `{"id":7,"path_with_namespace":"acme/api",`+answer+`}`)
		}}})
		r := h.Find(t.Context(), []schema.Ask{{Kind: &the(project).Kind, Key: "acme/api"}})[0]
		require.NoError(t, r.Err)
		require.Equal(t, want, r.Objects[0].Failure, answer)
	}
}

// Push mirrors that are off, or are tried again, have not failed.
func TestFailedPushMirror(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ enabled, status, want string }{
		{"true", `"failed"`, "the last push failed: no such host"}, {"true", `"to_retry"`, ""}, {"false", `"failed"`, ""},
	} {
		var o schema.Object
		require.NoError(t, decodePushMirror(nil, Record{
			"enabled": []byte(tt.enabled), "update_status": []byte(tt.status), "last_error": []byte(`"no such host"`),
		}, &o))
		require.Equal(t, tt.want, o.Failure, tt)
	}
}

package rest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/rest"
)

type callerKey struct{}

func TestAuth(t *testing.T) {
	t.Parallel()
	c := rest.Config{Log: quiet, Auth: func(ctx context.Context, r *http.Request) (context.Context, error) {
		token := rest.Param(r, "private_token")
		if token == "expired" {
			return nil, fault.InvalidToken("Token is expired.")
		}
		return context.WithValue(ctx, callerKey{}, token), nil
	}}
	who := func(ctx context.Context, _ rest.None, in uploadIn) (string, error) {
		content, err := io.ReadAll(in)
		return ctx.Value(callerKey{}).(string) + ":" + string(content), err
	}
	h := rest.New(c, []rest.Route{rest.Post("/who", anyone, who)})

	tests := []struct{ query, contentType, body, want string }{
		{"?private_token=q", "", "", `"q:"`},
		{"?private_token=q", "application/json", `{"private_token":"b"}`, `"q:{\"private_token\":\"b\"}"`},
		{"", "application/json", `{"private_token":"b"}`, `"b:{\"private_token\":\"b\"}"`},
		{"", "application/x-www-form-urlencoded", "private_token=b", `"b:private_token=b"`},
		{"", "", "private_token=b", `":private_token=b"`}, // an upload, which is not looked into
	}
	for _, tt := range tests {
		w := serve(h, "POST", "/api/v4/who"+tt.query, tt.body, "Content-Type", tt.contentType)
		require.Equal(t, tt.want, w.Body.String())
	}
	w := serve(h, "POST", "/api/v4/who?private_token=expired", "")
	require.Equal(t, http.StatusUnauthorized, w.Code)
	require.Equal(t, `{"error":"invalid_token","error_description":"Token is expired."}`, w.Body.String())
	require.Equal(t, `Bearer realm="The API", error="invalid_token", error_description="Token is expired."`,
		w.Header().Get("WWW-Authenticate"))
}

// A stream is whole for its handler, even where auth has read the beginning in search of a token
// and given up.
func TestLongStreamIsWhole(t *testing.T) {
	t.Parallel()
	c := rest.Config{Log: quiet, Auth: func(ctx context.Context, r *http.Request) (context.Context, error) {
		return context.WithValue(ctx, callerKey{}, rest.Param(r, "private_token")), nil
	}}
	same := func(ctx context.Context, _ rest.None, in uploadIn) (string, error) {
		content, err := io.ReadAll(in)
		return fmt.Sprintf("%s:%x", ctx.Value(callerKey{}), sha256.Sum256(content)), err
	}
	h := rest.New(c, []rest.Route{rest.Post("/same", anyone, same)})
	for _, pad := range []int{1 << 20, 5 << 20} {
		text := `{"pad":"` + strings.Repeat("0123456789abcdef", pad/16) + `"}`
		for _, body := range []io.Reader{strings.NewReader(text), io.MultiReader(strings.NewReader(text))} {
			r := httptest.NewRequest("POST", "/api/v4/same", body)
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			require.Equal(t, fmt.Sprintf(`":%x"`, sha256.Sum256([]byte(text))), w.Body.String())
		}
	}
}

// A caller who asks to act as another user must not act as themselves because sudo was overlooked.
func TestSudoIsHeardOrRefused(t *testing.T) {
	t.Parallel()
	c := rest.Config{Log: quiet, Auth: func(ctx context.Context, r *http.Request) (context.Context, error) {
		return context.WithValue(ctx, callerKey{}, rest.Param(r, "sudo")), nil
	}}
	who := func(ctx context.Context, _, _ rest.None) (string, error) { return ctx.Value(callerKey{}).(string), nil }
	h := rest.New(c, []rest.Route{rest.Post("/who", anyone, who)})
	const (
		form    = "application/x-www-form-urlencoded"
		part    = "--b\r\nContent-Disposition: form-data; name=\"sudo\"\r\n\r\n7\r\n--b--\r\n"
		refused = `{"error":"sudo is invalid"}`
	)
	for _, tt := range []struct{ query, contentType, body, want string }{
		{"", form, "", `""`},
		{"?sudo=7", "", "", `"7"`},
		{"", form, "sudo=7", `"7"`},
		{"", "application/json", `{"sudo":"7"}`, `"7"`},
		{"", "application/json", `{"sudo":7}`, `"7"`},
		{"", "application/json", `{"sudo":[7]}`, refused},
		{"", "application/json", `{"sudo":null}`, refused},
		{"?sudo[]=7", "", "", refused},
		{"", "", "sudo=7", refused}, // not looked into, as it may be an upload
		{"", "multipart/form-data; boundary=b", part, refused},
	} {
		w := serve(h, "POST", "/api/v4/who"+tt.query, tt.body, "Content-Type", tt.contentType)
		require.Equal(t, tt.want, w.Body.String(), "%+v", tt)
	}
}

// An upload lasts as long as its request, and its file has no name by which it could be left
// behind.
func TestUploadEndsWithTheRequest(t *testing.T) {
	var kept *rest.File
	type in struct {
		Avatar *rest.File `param:"avatar,required"`
	}
	h := rest.New(rest.Config{Log: quiet}, []rest.Route{
		rest.Post("/x", anyone, func(ctx context.Context, _ rest.None, in in) (string, error) {
			kept = in.Avatar
			return rest.RequestID(ctx), nil
		}),
	})
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	body := "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"f\"\r\n\r\n" +
		strings.Repeat("x", 2<<20) + "\r\n--b--\r\n"
	w := serve(h, "POST", "/api/v4/x", body, "Content-Type", "multipart/form-data; boundary=b", "X-Request-Id", "id")
	require.Equal(t, `"id"`, w.Body.String())
	_, err := io.ReadAll(kept.Open())
	require.ErrorIs(t, err, os.ErrClosed)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.Empty(t, rest.RequestID(t.Context()), "outside of a request")
}

func TestLogHoldsNoSecrets(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	type seen struct {
		route, method string
		status        int
	}
	var observed []seen
	h := rest.New(rest.Config{
		Log:  slog.New(slog.NewJSONHandler(&log, nil)),
		User: func(context.Context) int64 { return 7 },
		Observe: func(route, method string, status int, took time.Duration) {
			require.Positive(t, took)
			observed = append(observed, seen{route, method, status})
		},
	}, append(routes(), rest.Get("/taken", anyone, answers(0, fault.Conflict("taken").Because(errors.New("unique"))))))

	serve(h, "POST", "/api/v4/echo?private_token=glpat-secret", "a=glpat-secret", "PRIVATE-TOKEN", "glpat-secret",
		"X-Request-Id", "id1")
	serve(h, "GET", "/api/v4/things/glpat-secret", "")
	serve(h, "GET", "/api/v4/glpat-secret", "")
	serve(h, "GET", "/api/v4/taken", "")
	require.NotContains(t, log.String(), "glpat-secret")
	require.Contains(t, log.String(), `"method":"POST","route":"/api/v4/echo","status":201`)
	require.Contains(t, log.String(), `"request_id":"id1","user_id":7`)
	require.Contains(t, log.String(), `"fault":"conflict","cause":"unique"`)
	require.Equal(t, []seen{
		{"/api/v4/echo", "POST", 201}, {"/api/v4/things/{id}", "GET", 200}, {"", "GET", 404},
		{"/api/v4/taken", "GET", 409},
	}, observed)

	serve(h, "GET", "/api/v4/crash", "", "X-Request-Id", "id2")
	require.Contains(t, log.String(), `"request_id":"id2","error":"panic: `)
	require.Contains(t, log.String(), "mux_test.go", "the stack tells where")
}

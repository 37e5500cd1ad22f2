package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

const secret = "glpat-0123456789abcdef"

// inProcess answers requests without a network, so that virtual time can pass.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if req.Body == nil {
		req.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, req)
	resp := w.Result()
	resp.Request = req
	return resp, nil
}

// roundTrip is a network made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func open(t testing.TB, config Config) *Client {
	t.Helper()
	if config.BaseURL == "" {
		config.BaseURL = "https://git.example.com"
	}
	config.Token = secret
	c, err := New(config)
	require.NoError(t, err)
	return c
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func reply(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// H15: the address in any spelling, also below a path, makes the same requests.
func TestBaseURLSpellingsAskTheSame(t *testing.T) {
	t.Parallel()
	for _, sub := range []string{"", "/gitlab"} {
		for _, tail := range []string{"", "/", "//", "/api/v4", "/api/v4/", "//api/v4"} {
			t.Run(sub+tail, func(t *testing.T) {
				t.Parallel()
				s := serve(t, func(w http.ResponseWriter, r *http.Request) { reply(w, 200, `"`+r.RequestURI+`"`) })
				c := open(t, Config{BaseURL: s.URL + sub + tail})
				var got string
				_, err := c.Get(t.Context(), To("projects/{p}", "a/b"), nil, &got)
				require.NoError(t, err)
				require.Equal(t, sub+"/api/v4/projects/a%2Fb", got)
				require.Equal(t, s.URL+sub, c.URL())
			})
		}
	}
}

// A03: a name with any sign in it is one part of a path, encoded once.
func TestPathPartsAreEncodedOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := json.Marshal(r.RequestURI)
		reply(w, 200, string(body))
	})
	c := open(t, Config{BaseURL: s.URL})
	for value, want := range map[string]string{
		"a/b/c":            "a%2Fb%2Fc",
		"team.one/old.app": "team.one%2Fold.app",
		"a+b":              "a%2Bb",
		"a b":              "a%20b",
		"100%":             "100%25",
		"a%2Fb":            "a%252Fb",
		"a#b?c&d":          "a%23b%3Fc%26d",
		"größe/你":          "gr%C3%B6%C3%9Fe%2F%E4%BD%A0",
		"...":              "...",
		"a~b-c_d":          "a~b-c_d",
	} {
		var got string
		path := To("/users/{name}/keys/{id}", value, 7)
		require.Equal(t, "users/{name}/keys/{id}", path.Endpoint())
		require.Equal(t, "users/"+want+"/keys/7", path.String())
		_, err := c.Get(t.Context(), path, nil, &got)
		require.NoError(t, err)
		require.Equal(t, "/api/v4/users/"+want+"/keys/7", got)
		back, err := url.PathUnescape(want)
		require.NoError(t, err)
		require.Equal(t, value, back)
	}
}

func TestPathsThatWouldAddressSomethingElseAreNotSent(t *testing.T) {
	t.Parallel()
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("sent %s", r.RequestURI) })
	c := open(t, Config{BaseURL: s.URL})
	for _, p := range []Path{To("projects/{id}", ""), To("projects/{id}", "."), To("projects/{id}", ".."),
		To("projects/{id}"), To("projects/{id}", 1, 2)} {
		_, err := c.Delete(t.Context(), p, nil, nil)
		require.ErrorContains(t, err, "projects/{id}")
	}
}

func TestReadOnlySendsNoWrite(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("sent %s", r.Method)
		}
		reply(w, 200, `{}`)
	})
	c := open(t, Config{BaseURL: s.URL, ReadOnly: true})
	ctx, p := t.Context(), To("user")
	for method, do := range writes(c) {
		_, err := do(ctx, p, nil, nil)
		require.ErrorIs(t, err, ErrReadOnly)
		require.ErrorContains(t, err, method+" /user")
	}
	_, err := c.Get(ctx, p, nil, nil)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"GET": 1}, c.Stats().Requests)
}

// writes are the methods that write, in one shape.
func writes(c *Client) map[string]func(context.Context, Path, any, any) (Reply, error) {
	return map[string]func(context.Context, Path, any, any) (Reply, error){
		"POST": c.Post, "PUT": c.Put, "PATCH": c.Patch,
		"DELETE": func(ctx context.Context, p Path, _, out any) (Reply, error) { return c.Delete(ctx, p, nil, out) },
	}
}

func TestBodiesAndAnswers(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("PRIVATE-TOKEN") != secret || r.Header.Get("User-Agent") != "hew/1" {
			reply(w, 401, `{}`)
			return
		}
		switch r.Method {
		case http.MethodDelete:
			w.WriteHeader(204)
		case http.MethodPut:
			reply(w, 200, `{"id":`)
		case http.MethodPost:
			body, _ := io.ReadAll(r.Body)
			reply(w, 201, string(body))
		default:
			reply(w, 200, `null`)
		}
	})
	c := open(t, Config{BaseURL: s.URL, UserAgent: "hew/1"})
	ctx := t.Context()

	var rule *struct{ ID int }
	_, err := c.Get(ctx, To("projects/{p}/push_rule", 1), nil, &rule)
	require.NoError(t, err)
	require.Nil(t, rule, "A04: null is no push rule yet")

	var out any
	got, err := c.Post(ctx, To("projects"), map[string]any{"id": 9007199254740993, "name": "<a>"}, &out)
	require.NoError(t, err)
	require.Equal(t, 201, got.Status)
	require.Equal(t, map[string]any{"id": json.Number("9007199254740993"), "name": "<a>"}, out)

	out = "untouched"
	got, err = c.Delete(ctx, To("projects/{p}", 1), nil, &out)
	require.NoError(t, err)
	require.Equal(t, 204, got.Status)
	require.Equal(t, "untouched", out)

	stats := c.Stats()
	_, err = c.Put(ctx, To("projects/{p}", 1), nil, &out)
	require.ErrorContains(t, err, "does not have the documented shape")
	require.True(t, IsUnknown(err), "it was done, but how is not known")
	require.Equal(t, 3, stats.Total())
	require.Equal(t, stats.Sent+4, stats.Received, "the echo and a null")
	require.Zero(t, stats.InFlight)
}

func TestRefusedTokenIsNamed(t *testing.T) {
	t.Parallel()
	refuse := roundTrip(func(req *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		reply(w, 401, `{"message":"401 Unauthorized"}`)
		resp := w.Result()
		resp.Request = req
		return resp, nil
	})
	for _, test := range []struct{ token, from, want string }{
		{"", "", "a token, but none was sent; set HEW_TOKEN"},
		{secret, "GITLAB_TOKEN", "a valid token; the one in GITLAB_TOKEN is not valid"},
		{secret, "", "a valid token; this one is not valid"},
	} {
		c, err := New(Config{BaseURL: "https://h", Token: test.token, TokenFrom: test.from, Transport: refuse})
		require.NoError(t, err)
		_, err = c.Get(t.Context(), To("user"), nil, nil)
		require.True(t, IsUnauthorized(err))
		require.EqualError(t, err, "GET /user: 401 Unauthorized; requires "+test.want)
	}
}

func TestAnswersThatAreNotTheAPI(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v4/long" {
			_, _ = io.Copy(w, io.LimitReader(endless{}, largestAnswer+1))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<html>Sign in</html>")
	})
	c := open(t, Config{BaseURL: s.URL, URLFrom: "HEW_URL"})
	var out any
	_, err := c.Get(t.Context(), To("user"), nil, &out)
	require.ErrorContains(t, err, `not JSON but "text/html; charset=utf-8"; check that HEW_URL`)
	_, err = c.Get(t.Context(), To("long"), nil, &out)
	require.ErrorIs(t, err, tooLarge(largestAnswer))
	require.Equal(t, 2, c.Stats().Total(), "neither is tried again")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestNothingSecretIsLoggedOrPrinted(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-Id", "01H")
		reply(w, 422, `{"message":{"url":["`+secret+` and https://joe:hunter2@h/ are blocked"]}}`)
	})
	base, err := url.Parse(s.URL)
	require.NoError(t, err)
	base.User = url.UserPassword("joe", "hunter2")
	c := open(t, Config{BaseURL: base.String(), Log: slog.New(slog.NewTextHandler(&log,
		&slog.HandlerOptions{Level: slog.LevelDebug}))})
	query := url.Values{"private_token": {"hunter2"}, "search": {"x"}}
	_, err = c.Get(t.Context(), To("projects/{p}", "a/b"), query, nil)
	require.ErrorContains(t, err,
		"GET /projects/a%2Fb: 422 url: (secret) and https://(secret)@h/ are blocked (request 01H)")
	require.Regexp(t, `method=GET path=/api/v4/projects/a%2Fb query=.*private_token=\(secret\)&search=x.* duration=\S+ status=422 request_id=01H`,
		log.String())
	s.Close()
	c.config.Retries = 0
	_, gone := c.Post(t.Context(), To("projects"), map[string]string{"password": "hunter2"}, nil)
	require.ErrorContains(t, gone, "no response from "+s.URL)
	e, _ := errors.AsType[*Error](err)
	for _, text := range []string{fmt.Sprint(e.Fields), err.Error(), gone.Error(), log.String(), c.URL()} {
		require.NotContains(t, text, secret)
		require.NotContains(t, text, "hunter2")
	}
}

// TestHostsRepeatTheToken: whatever of an answer an error shows, it has no token, in any form.
func TestHostsRepeatTheToken(t *testing.T) {
	t.Parallel()
	const token = "to/ken+s3cret"
	for name, answer := range map[string]http.HandlerFunc{
		"request id": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", token)
			reply(w, 500, `{}`)
		},
		"in an address": func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 422, `{"message":"https://h/?token=`+url.QueryEscape(token)+`"}`)
		},
		"moved": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/api/v4/"+url.PathEscape(token))
			reply(w, 422, `{"message":"no"}`)
		},
		"a field": func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 422, `{"message":{"`+token+`":["`+token+` is not a name"]}}`)
		},
		"content type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", token)
			w.Write([]byte("no JSON"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := New(Config{BaseURL: serve(t, answer).URL, Token: token, Retries: -1})
			require.NoError(t, err)
			var out any
			_, err = c.Get(t.Context(), To("users"), nil, &out)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "s3cret")
		})
	}
}

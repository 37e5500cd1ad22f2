package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
)

// stand is a host that knows the token's user and nothing else, and remembers
// what was asked of it.
type stand struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string
	tokens map[string]bool
}

func newStand(t *testing.T) *stand {
	t.Helper()
	s := &stand{tokens: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		s.tokens[r.Header.Get("PRIVATE-TOKEN")] = true
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Header.Get("PRIVATE-TOKEN") == "wrong":
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte(`{"message":"401 Unauthorized"}`))
		case r.URL.Path == "/api/v4/user":
			w.Write([]byte(`{"id":1,"username":"root","is_admin":true}`))
		default:
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte(`{"message":"404 Not found"}`))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func configuration(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(text), 0o644))
	return dir
}

const oneGroup = "resource \"group\" \"acme\" {\n  path = \"acme\"\n}\n"

// TestConnect plans one group by each way of naming the host and the token.
// Whatever the way, nothing is written anywhere.
func TestConnect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, config string
		env          func(url string) []string
		token        string
		code         int
		says         string
	}{
		{name: "HEW", env: func(u string) []string { return []string{"HEW_URL=" + u, "HEW_TOKEN=right"} },
			token: "right", code: 2, says: "+ group.acme"},
		{name: "GITLAB", env: func(u string) []string {
			return []string{"GITLAB_BASE_URL=" + u + "/api/v4/",
				"GITLAB_TOKEN=right"}
		}, token: "right", code: 2, says: "+ group.acme"},
		{name: "a job", env: func(u string) []string {
			return []string{"CI_API_V4_URL=" + u + "/api/v4",
				"HEW_TOKEN=right"}
		}, token: "right", code: 2, says: "+ group.acme"},
		{name: "the block before the environment",
			config: "variable \"token\" {\n  sensitive = true\n}\nprovider {\n  base_url = var.url\n  token = " +
				"var.token\n}\nvariable \"url\" {}\n",
			env: func(u string) []string {
				return []string{
					"HEW_URL=http://127.0.0.1:1", "HEW_TOKEN=wrong", "HEW_VAR_url=" + u, "TF_VAR_token=right",
				}
			}, token: "right", code: 2, says: "+ group.acme"},
		{name: "the block, of the host that the environment names",
			config: "provider {\n  base_url = var.url\n}\nvariable \"url\" {}\n",
			env: func(u string) []string {
				return []string{"HEW_URL=" + u + "/api/v4", "HEW_TOKEN=right", "HEW_VAR_url=" + u}
			}, token: "right", code: 2, says: "+ group.acme"},
		{name: "a host that only the block names",
			config: "provider {\n  base_url = var.url\n}\nvariable \"url\" {}\n",
			env:    func(u string) []string { return []string{"GITLAB_TOKEN=right", "HEW_VAR_url=" + u} },
			code:   1, says: "hew does not send GITLAB_TOKEN to http://127.0.0.1"},
		{name: "another host than that of the environment",
			config: "provider {\n  base_url = var.url\n}\nvariable \"url\" {}\n",
			env: func(u string) []string {
				return []string{"HEW_URL=http://127.0.0.1:1", "HEW_TOKEN=right", "HEW_VAR_url=" + u}
			}, code: 1, says: "HEW_URL names another host"},
		{name: "no token", env: func(u string) []string { return []string{"HEW_URL=" + u} }, code: 1,
			says: "HEW_TOKEN"},
		{name: "no host", env: func(string) []string { return []string{"HEW_TOKEN=right"} }, code: 1, says: "HEW_URL"},
		{name: "wrong token", env: func(u string) []string { return []string{"HEW_URL=" + u, "HEW_TOKEN=wrong"} },
			token: "wrong", code: 1, says: "Host cannot be used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			host := newStand(t)
			dir := configuration(t, oneGroup+c.config)
			var out, errs bytes.Buffer
			code := run(t.Context(), []string{"plan", "-chdir", dir, "-detailed-exitcode"}, c.env(host.URL),
				strings.NewReader(""), &out, &errs)
			require.Equal(t, c.code, code, out.String()+errs.String())
			require.Contains(t, out.String()+errs.String(), c.says)
			for _, a := range host.asked {
				require.True(t, strings.HasPrefix(a, "GET "), a)
			}
			require.True(t, c.token != "" || len(host.asked) == 0, host.asked)
			for token := range host.tokens {
				require.Equal(t, c.token, token)
			}
			require.NoDirExists(t, filepath.Join(dir, ".hew"), "planning leaves no trace")
		})
	}
}

// TestLog: HEW_LOG talks on standard error and never says the token. At info it
// tells how the run gets on, at debug of each request as well.
func TestLog(t *testing.T) {
	t.Parallel()
	host := newStand(t)
	for level, talks := range map[string]struct{ info, debug bool }{
		"": {}, "off": {}, "error": {}, "warn": {}, "info": {info: true}, "debug": {true, true}, "TRACE": {true, true},
		"nonsense": {true, true},
	} {
		dir := configuration(t, oneGroup)
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"plan", "-chdir", dir},
			[]string{"HEW_URL=" + host.URL, "HEW_TOKEN=" + reporttest.Leak, "HEW_LOG=" + level},
			strings.NewReader(""), &out, &errs)
		require.Zero(t, code, errs.String())
		for _, line := range []string{
			"level=INFO msg=session host=" + host.URL + " ledger=" + filepath.Join(dir, ".hew", "ledger.json"),
			"level=INFO msg=reading", "level=INFO msg=planned objects=1 changes=1",
		} {
			require.Equal(t, talks.info, strings.Contains(errs.String(), line), level+": "+errs.String())
		}
		require.Equal(t, talks.debug, strings.Contains(errs.String(), "msg=request method=GET path=/api/v4/user"),
			level+errs.String())
		warnings := map[string]int{"nonsense": 1}
		require.Equal(t, warnings[level], strings.Count(errs.String(), "not a known level"), level)
		require.NotContains(t, errs.String()+out.String(), reporttest.Leak)
	}
}

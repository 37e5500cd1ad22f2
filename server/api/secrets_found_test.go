package api_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/api"
)

// sensitive are the parameters of all routes that write, "PUT /path name", which the catalogue marks as secret or that are
// called like one.
func sensitive() (lines []string) {
	marked := map[string]bool{}
	for _, s := range catalogue.Settings() {
		marked["settings "+s.Key] = s.Secret
	}
	for _, i := range catalogue.Integrations() {
		for _, p := range i.Parameters {
			for _, name := range []string{p.Name, p.Alias} {
				marked["slug "+name] = marked["slug "+name] || p.Secret
			}
		}
	}
	for _, r := range (&api.API{}).Routes() {
		kind := regexp.MustCompile(`\W+$`).ReplaceAllString(r.Path, "")
		kind = kind[strings.LastIndexAny(kind, "/{")+1:]
		for _, name := range r.Parameters() {
			if r.Method != http.MethodGet && !strings.Contains(r.Path, "{"+name+"}") && (called.MatchString(name) || marked[kind+" "+name]) {
				lines = append(lines, r.Method+" "+r.Path+" "+name)
			}
		}
	}
	return lines
}

func isClear(line string) bool {
	return slices.ContainsFunc(clear, func(c struct{ parameters, why string }) bool {
		return regexp.MustCompile(c.parameters).MatchString(line)
	})
}

// walk tells of every value in an answer by its name; in objects within objects that of the outer one is in front.
func walk(v any, name string, tell func(name string, value any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			walk(v[key], strings.TrimPrefix(name+"."+key, "."), tell)
		}
	case []any:
		for _, item := range v {
			walk(item, name, tell)
		}
	default:
		tell(name, v)
	}
}

// found are the forms of a secret that are in a text: as it is, in hexadecimal, or in base64 of something with it inside.
func found(text, secret string) (forms []string) {
	look := func(form, needle string) {
		if strings.Contains(text, needle) {
			forms = append(forms, form)
		}
	}
	look("as it is", secret)
	look("hexadecimal", fmt.Sprintf("%x", secret))
	for before := range 3 {
		whole := base64.RawStdEncoding.EncodeToString([]byte("..."[:before] + secret))
		core := whole[(before*8+5)/6 : (before+len(secret))*8/6]
		look("base64", core)
		look("base64 of URLs", strings.NewReplacer("+", "-", "/", "_").Replace(core))
	}
	return forms
}

func TestFound(t *testing.T) {
	t.Parallel()
	const secret = "5w0rd>>fi?5h"
	for _, before := range []string{"", "a", "ab", "abc"} {
		inside := []byte(before + secret + "after")
		for _, text := range []string{
			string(inside), fmt.Sprintf(`"\x%x"`, inside), base64.StdEncoding.EncodeToString(inside), base64.URLEncoding.EncodeToString(inside),
		} {
			require.NotEmpty(t, found(text, secret), text)
		}
	}
	require.Empty(t, found("5w0rd", secret))
}

// noted is a log that several may write at once.
type noted struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (n *noted) Write(line []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all.Write(line)
}

func (n *noted) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all.String()
}

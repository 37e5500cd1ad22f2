package server_test

import (
	"bytes"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"hew/schema/catalogue"
)

// sensitive are the parameters of all routes that write, "PUT /path name", which the catalogue
// marks as secret or that are called like one.
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
	for _, r := range sum().Routes {
		kind := regexp.MustCompile(`\W+$`).ReplaceAllString(r.Path, "")
		kind = kind[strings.LastIndexAny(kind, "/{")+1:]
		for _, name := range r.Parameters() {
			if r.Method != http.MethodGet && !strings.Contains(r.Path, "{"+name+"}") &&
				(called.MatchString(name) || marked[kind+" "+name]) {
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

// walk tells of every value in an answer by its name; in objects within objects that of the outer
// one is in front.
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

package api

import (
	"net/url"
	"regexp"
	"strings"
)

// addresses are the forms of the addresses of uploads on the web, with the segment of the routes of
// the API that each stands for: by id, and by the path of a group or project.
var addresses = []struct {
	holders string // empty: the address says it
	form    *regexp.Regexp
}{
	{"", regexp.MustCompile(`^/-/(project|group)/([0-9]+)/uploads/([0-9a-f]{32}/[^/]+)$`)},
	{"group", regexp.MustCompile(`^/(groups)/(.+)/-/uploads/([0-9a-f]{32}/[^/]+)$`)},
	{"project", regexp.MustCompile(`^()/?([^/]+(?:/[^/]+)+)/uploads/([0-9a-f]{32}/[^/]+)$`)},
}

// routeOf returns the path of the route for the address of an upload on the web.
func routeOf(path string) (string, bool) {
	if strings.HasPrefix(path, "/api/") || !strings.Contains(path, "/uploads/") {
		return "", false
	}
	for _, a := range addresses {
		m := a.form.FindStringSubmatch(path)
		if m == nil || strings.Contains(m[2], "/-/") {
			continue
		}
		holder := a.holders
		if holder == "" {
			holder = m[1]
		}
		secret, name, _ := strings.Cut(m[3], "/")
		holder += "s/" + url.PathEscape(m[2])
		return "/api/v4/" + holder + "/uploads/" + secret + "/" + url.PathEscape(name), true
	}
	return "", false
}

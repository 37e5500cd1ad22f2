package api

import (
	"net/url"
	"regexp"
)

// rawAddress is where raw_url of snippets and of their files points: -/snippets/7/raw/main/a.txt,
// below the path of a project for one in it.
var rawAddress = regexp.MustCompile(`^/(?:(.+)/)?-/snippets/([0-9]{1,18})/raw(?:/([^/]+)/(.+))?$`)

// rawRoute returns the route that the address of a file stands for.
func rawRoute(path string) (string, bool) {
	m := rawAddress.FindStringSubmatch(path)
	if m == nil {
		return "", false
	}
	route := "/api/v4/"
	if m[1] != "" {
		route += "projects/" + url.PathEscape(m[1]) + "/"
	}
	route += "snippets/" + m[2]
	if m[3] != "" {
		route += "/files/" + url.PathEscape(m[3]) + "/" + url.PathEscape(m[4])
	}
	return route + "/raw", true
}

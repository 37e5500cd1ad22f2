// Package view shows users, groups, projects and commits the way other things mention them.
package view

import "net/url"

// Site is what views have of the server.
type Site struct {
	Base     string // the address that clients use, without a trailing slash: https://host
	Version  string
	Revision string
}

// Web returns the address of a page of the web front end, which names things the way users see
// them. The path is not escaped yet.
func (s *Site) Web(path string) string { return s.Base + "/" + (&url.URL{Path: path}).EscapedPath() }

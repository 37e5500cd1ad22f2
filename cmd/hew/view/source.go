package view

import (
	"net/url"
	"path"
	"strconv"
	"strings"
)

// Source is where a document comes from, as far as the CI job tells. The zero value links nothing.
type Source struct {
	Directory    string // of the configuration in its repository, "." for its top, "" if unknown
	Files        string // URL that the path of a file in the repository completes, up to and with its last /
	Commit       Link
	MergeRequest Link
	Pipeline     Link
	Job          Link
	Time         string // when the document was made, for people
}

// Link is a text and its URL. Without an http or https URL it is plain text.
type Link struct{ Text, URL string }

// To returns the URL if it may be linked to, else "".
func (l Link) To() string {
	u, err := url.Parse(l.URL)
	web := err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
	if !web || strings.ContainsAny(l.URL, " ()<>[]\\`\"'\n\r\t") {
		return ""
	}
	return l.URL
}

// facts returns what is known of the source, in the order in which it is shown.
func (s Source) facts() (all []Link) {
	for _, l := range []Link{s.MergeRequest, s.Commit, s.Pipeline, s.Job} {
		if l.Text != "" {
			all = append(all, l)
		}
	}
	return all
}

// file returns the URL of file:line:column, a file in the given directory of the repository; "" if
// the directory is unknown or the file outside of the repository.
func (s Source) file(directory, place string) string {
	parts := strings.Split(place, ":")
	if s.Files == "" || directory == "" || len(parts) != 3 || path.IsAbs(parts[0]) || parts[0] == "" {
		return ""
	}
	name := path.Join(directory, parts[0])
	if path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	segments := strings.Split(name, "/")
	for i, p := range segments {
		segments[i] = url.PathEscape(p)
	}
	line, err := strconv.Atoi(parts[1])
	if err != nil {
		return ""
	}
	return Link{URL: s.Files + strings.Join(segments, "/") + "#L" + strconv.Itoa(line)}.To()
}

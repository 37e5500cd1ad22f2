package release

import (
	"fmt"
	"net/url"
)

// Source is an archive of the files of a release, which the server makes.
type Source struct {
	Format string `json:"format"` // zip, tar.gz, tar.bz2, tar
	URL    string `json:"url"`
}

// Sources returns the archives of a release; base is the address of the server.
func (r Release) Sources(base string) []Source {
	formats := []string{"zip", "tar.gz", "tar.bz2", "tar"}
	list := make([]Source, len(formats))
	for i, format := range formats {
		list[i] = Source{format, fmt.Sprintf("%s/api/v4/projects/%d/repository/archive.%s?sha=%s",
			base, r.ProjectID, format, url.QueryEscape(r.Tag))}
	}
	return list
}

// DirectURL returns where a link is found at the address of its release, or else its own address;
// base is the address of the server.
func (r Release) DirectURL(base string, l Link) string {
	if l.Path == nil {
		return l.URL
	}
	return fmt.Sprintf("%s/api/v4/projects/%d/releases/%s/downloads%s",
		base, r.ProjectID, url.PathEscape(r.Tag), *l.Path)
}

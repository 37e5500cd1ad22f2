package document_test

import (
	"context"
	"slices"
	"strings"

	"hew/server/ci/document"
)

// origin is that of the definition in tests.
var origin = document.Origin{ProjectID: 1, Project: "g/p", SHA: "aaaa"}

// files are what tests include, by where they are: a path for those of g/p, "project@ref:path" for
// those of other projects, an address, "template:name", "component:project/name@version" or
// "job:path". An empty name before the colon, "project@ref:", says that the commit exists.
type files map[string]string

// Read returns the file with the name of a location.
func (f files) Read(_ context.Context, at document.Location) (document.File, error) {
	switch at.Form {
	case document.Local:
		return f.repository(at.From, at.Path)
	case document.Project:
		if !f.any(at.Project + "@") {
			return document.File{}, document.ErrNoProject
		}
		if !f.any(at.Project + "@" + at.Ref + ":") {
			return document.File{}, document.ErrNoRef
		}
		return f.repository(document.Origin{ProjectID: 2, Project: at.Project, SHA: at.Ref}, at.Path)
	case document.Template:
		return f.named("template:"+at.Path, document.File{})
	case document.Component:
		return f.named("component:"+at.Project+"/"+at.Path+"@"+at.Ref, document.File{
			Origin:    document.Origin{ProjectID: 3, Project: at.Project, SHA: at.Ref},
			Component: map[string]string{"name": at.Path, "version": at.Ref, "sha": "cccc", "reference": at.Ref},
		})
	case document.Artifact:
		if !f.any(at.Job + ":") {
			return document.File{}, document.ErrNoRef
		}
		return f.named(at.Job+":"+at.Path, document.File{Origin: at.From})
	}
	if _, ok := f[at.Path]; !ok {
		return document.File{}, &document.RemoteError{Attempts: 1, Reason: "HTTP code `404`"}
	}
	return f.named(at.Path, document.File{Raw: at.Path})
}

// Match returns the matching paths of a repository.
func (f files) Match(_ context.Context, from document.Origin, pattern string) ([]string, error) {
	matches := document.Wildcard(pattern)
	var paths []string
	for name := range f {
		path, ok := strings.CutPrefix(name, f.prefix(from))
		if ok && !strings.Contains(path, ":") && matches(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// repository returns a file of a commit.
func (f files) repository(from document.Origin, path string) (document.File, error) {
	return f.named(f.prefix(from)+path, document.File{
		Origin: from,
		Blob:   "https://hew.test/" + from.Project + "/-/blob/" + from.SHA + "/" + path,
		Raw:    "https://hew.test/" + from.Project + "/-/raw/" + from.SHA + "/" + path,
	})
}

// prefix is what the names of a commit's files begin with.
func (f files) prefix(from document.Origin) string {
	if from == origin {
		return ""
	}
	return from.Project + "@" + from.SHA + ":"
}

// named returns a file with its content.
func (f files) named(name string, file document.File) (document.File, error) {
	content, ok := f[name]
	if !ok {
		return document.File{}, document.ErrNoFile
	}
	file.Content = []byte(content)
	return file, nil
}

// any reports whether a name begins with a text.
func (f files) any(prefix string) bool {
	for name := range f {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// load loads a definition of g/p with the files.
func (f files) load(content string, change ...func(*document.Request)) (*document.Document, error) {
	r := document.Request{File: ".gitlab-ci.yml", Content: []byte(content), Origin: origin, Files: f}
	for _, c := range change {
		c(&r)
	}
	return document.Load(context.Background(), r)
}

package api

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// trees serves directories and blobs of projects (gaps §9.2).
type trees struct{}

func (a trees) routes() []rest.Route {
	const blob = "/projects/{id}/repository/blobs/{sha}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	return []rest.Route{
		rest.Get("/projects/{id}/repository/tree", read, a.list),
		rest.Get(blob, read, a.blob),
		rest.Get(blob+"/raw", read, a.rawBlob),
	}
}

type treeList struct {
	rest.Keyset
	Path      string `param:"path"`
	Ref       string `param:"ref" default:"HEAD"`
	Recursive bool   `param:"recursive"`
	PageToken string `param:"page_token"`
}

type treeView struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	Path string `json:"path"`
	Mode string `json:"mode"`
}

// typeOf returns the kind of object that a mode stands for.
func typeOf(m object.Mode) string {
	switch m {
	case object.ModeDir:
		return "tree"
	case object.ModeSubmodule:
		return "commit"
	}
	return "blob"
}

// maxCounted is how many files a list counts. Paging sends no total above 10,000.
const maxCounted = 10_001

// listing returns what to read for a page: one file more than it has tells whether there is a next
// one. A list by offset also counts its files, up to maxCounted.
func (in treeList) listing() (l code.Listing, err error) {
	l = code.Listing{Revision: in.Ref, Path: strings.Trim(in.Path, "/"), Recursive: in.Recursive}
	if !in.ByKey() {
		l.Limit = max(maxCounted, in.Offset()+in.Limit()+1)
		return l, nil
	}
	l.Limit = in.Limit() + 1
	l.After, err = in.after()
	if err == nil && l.After != "" && l.Path != "" && !strings.HasPrefix(l.After, l.Path+"/") {
		err = errPageToken
	}
	return l, err
}

func (a trees) list(ctx context.Context, s scope.InProject, in treeList) (rest.List[treeView], error) {
	page := rest.List[treeView]{}
	l, err := in.listing()
	if err != nil {
		return page, err
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return page, err
	}
	files, err := g.ListTree(ctx, l)
	if err != nil {
		return page, err
	}
	if page.Total = len(files); page.Total == l.Limit {
		page.Total = -1
	}
	from := 0
	if !in.ByKey() {
		from = min(in.Offset(), len(files))
	}
	shown := files[from:min(from+in.Limit(), len(files))]
	for _, f := range shown {
		page.Items = append(page.Items, treeView{
			ID: f.Entry.ID.String(), Name: path.Base(f.Path), Type: typeOf(f.Entry.Mode), Path: f.Path,
			Mode: f.Entry.Mode.String(),
		})
	}
	if in.ByKey() && from+len(shown) < len(files) {
		page.Next = map[string]string{"page_token": tokenOf(shown[len(shown)-1])}
	}
	return page, nil
}

// tokenOf returns the token of the page that begins after a file: its id and its path. A path that
// is not UTF-8 cannot be a parameter: it is escaped, after a slash, which no path begins with.
func tokenOf(f gittree.File) string {
	if utf8.ValidString(f.Path) {
		return f.Entry.ID.String() + f.Path
	}
	return f.Entry.ID.String() + "/" + url.PathEscape(f.Path)
}

var errPageToken = fault.Param("page_token is invalid")

// after returns the path in the token of a page, "" without a token.
func (in treeList) after() (string, error) {
	if in.PageToken == "" {
		return "", nil
	}
	id := in.PageToken[:min(len(in.PageToken), 2*object.IDSize)]
	after := in.PageToken[len(id):]
	if _, err := object.ParseID(id); err != nil || after == "" {
		return "", errPageToken
	}
	if escaped, ok := strings.CutPrefix(after, "/"); ok {
		if path, err := url.PathUnescape(escaped); err == nil {
			return path, nil
		}
	}
	return after, nil
}

type blobView struct {
	Size     int64  `json:"size"`
	Encoding string `json:"encoding"`
	Content  []byte `json:"content"`
	SHA      string `json:"sha"`
}

// find reads the blob of a request.
func (in commitSHA) blob(ctx context.Context, s scope.InProject) (object.ID, []byte, error) {
	id, err := object.ParseID(in.SHA)
	if err != nil {
		return id, nil, fault.NotFound("Blob")
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return id, nil, err
	}
	data, err := g.Blob(ctx, id)
	return id, data, err
}

func (a trees) blob(ctx context.Context, s scope.InProject, in commitSHA) (blobView, error) {
	id, data, err := in.blob(ctx, s)
	return blobView{int64(len(data)), "base64", data, id.String()}, err
}

func (a trees) rawBlob(ctx context.Context, s scope.InProject, in commitSHA) (rest.Raw, error) {
	id, data, err := in.blob(ctx, s)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeRaw(w, id.String(), data) }), nil
}

// writeRaw answers with content of a repository. It is never shown by a browser as a page of ours.
func writeRaw(w http.ResponseWriter, name string, data []byte) {
	kind := "text/plain; charset=utf-8"
	if isBinary(data) {
		kind = "application/octet-stream"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", disposition("inline", name))
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // fails only if the client has gone
}

// disposition returns the header that tells how a file is to be shown, and its name.
func disposition(kind, name string) string {
	return kind + `; filename="` + strings.NewReplacer(`"`, "", `\`, "", "\n", "").Replace(name) + `"`
}

// isBinary reports whether content is binary, as git judges it: by a NUL near its beginning.
func isBinary(data []byte) bool {
	return strings.ContainsRune(string(data[:min(len(data), 8000)]), 0)
}

package api

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"

	"hew/server/rest"
)

// Guards of pushes for tests: those of the code of a project, and of a wiki.
var (
	PushGuard     = smartHTTP{}.guard(always(receivePack))
	PushWikiGuard = smartHTTP{}.wikiGuard(always(receivePack))
	FetchGuard    = smartHTTP{}.guard(always(uploadPack))
)

// Patient returns the reader and the writer of a transfer, for tests.
func Patient(ctx context.Context, body io.Reader, w http.ResponseWriter) (io.Reader, http.ResponseWriter) {
	out := newPatientWriter(ctx, w)
	return &patientReader{body, out.transfer}, out
}

// FilesRead returns how many files a page of a tree reads at most.
func FilesRead(query string) int {
	in, err := rest.Decode[treeList](httptest.NewRequest("GET", "/"+query, nil))
	if err != nil {
		return -1
	}
	l, err := in.listing()
	if err != nil {
		return -1
	}
	return l.Limit
}

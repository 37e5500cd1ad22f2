package api

import (
	"context"
	"io"
	"net/http"
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

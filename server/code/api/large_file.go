package api

import (
	"log/slog"
	"net/http"
	"time"

	"hew/server/code"
	"hew/server/db"
)

// largeFile answers with the content of an LFS object, or the range that a client asks for.
type largeFile struct {
	log     *slog.Logger
	store   *db.Store
	project string // its full path, for the log
	object  code.LFSObject
	header  func(http.Header) // adds what the route tells of the file
}

// ServeHTTP implements http.Handler.
func (l largeFile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := code.OpenLFSObject(r.Context(), l.store, l.object)
	if err != nil {
		l.log.WarnContext(
			r.Context(), "LFS object not read", "project", l.project, "oid", l.object.OID(), "error", err,
		)
		http.Error(w, "The object was not read. Try again.", http.StatusInternalServerError)
		return
	}
	defer content.Close()
	l.header(w.Header())
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(newPatientWriter(r.Context(), w), r, "", time.Time{}, content)
}

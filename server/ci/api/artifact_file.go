package api

import (
	"log/slog"
	"mime"
	"net/http"

	"hew/server/ci"
	codeapi "hew/server/code/api"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
)

// sentArtifact answers with a whole artifact, or the range of it that a client asks for.
type sentArtifact struct {
	log   *slog.Logger
	store *db.Store
	ci.Artifact
}

// artifactTypes are the content types of artifacts, by their formats.
var artifactTypes = map[string]string{"zip": "application/zip", "gzip": "application/gzip", "raw": "application/octet-stream"}

// ServeHTTP implements http.Handler.
func (a sentArtifact) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := a.Open(r.Context(), a.store)
	if err != nil {
		a.log.WarnContext(r.Context(), "artifact not read", "artifact", a.ID, "error", err)
		rest.Fail(w, fault.Unavailable())
		return
	}
	defer content.Close()
	w.Header().Set("Content-Type", artifactTypes[a.FileFormat])
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.Filename}))
	http.ServeContent(codeapi.PatientWriter(r.Context(), w), r, "", a.CreatedAt, content)
}

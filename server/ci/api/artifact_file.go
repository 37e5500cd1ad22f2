package api

import (
	"log/slog"

	"hew/server/blob/serve"
	"hew/server/ci"
	"hew/server/db"
)

// artifactTypes are the content types of artifacts, by their formats.
var artifactTypes = map[string]string{
	"zip": "application/zip", "gzip": "application/gzip", "raw": "application/octet-stream",
}

// sentArtifact answers with a whole artifact, or the range of it that a client asks for.
func sentArtifact(log *slog.Logger, store *db.Store, a ci.Artifact) serve.File {
	return serve.File{
		Log: log, Store: store, BlobID: a.BlobID, Name: a.Filename, Type: artifactTypes[a.FileFormat],
		Modified: a.CreatedAt,
	}
}

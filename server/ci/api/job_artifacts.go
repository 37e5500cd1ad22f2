package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"hew/server/ci"
	"hew/server/fault"
	"hew/server/rest"
)

// jobArtifacts are the routes by which runners send artifacts, and get those of other jobs (gaps
// §10.4, CI facts §4.1).
type jobArtifacts struct{ log *slog.Logger }

const (
	maxArtifact     = 1 << 40       // bytes of a request; the settings have a limit of their own
	artifactTimeout = 3 * time.Hour // of a transfer as a whole
	maxFormValue    = 64 << 10      // bytes of the fields around the file
)

func (a jobArtifacts) routes() []rest.Route {
	own, any := ownJob(), anyJob()
	return []rest.Route{
		rest.Post("/jobs/{id}/artifacts/authorize", own, whileRunning(a.authorize)).WithoutTransaction().Status(200),
		rest.Post("/jobs/{id}/artifacts", own, whileRunning(a.upload)).
			WithoutTransaction().Limit(maxArtifact).Timeout(artifactTimeout),
		rest.Get("/jobs/{id}/artifacts", any, a.download).Timeout(artifactTimeout),
	}
}

type artifactPlan struct {
	ID           int64  `param:"id"`
	Token        string `param:"token"` // the guard has read it
	FileSize     int64  `param:"filesize"`
	ArtifactType string `param:"artifact_type"`
}

// authorize says whether an artifact may be sent. It is then sent to this server.
func (jobArtifacts) authorize(ctx context.Context, s runnerJob, in artifactPlan) (rest.Raw, error) {
	limit, err := ci.ArtifactLimit(ctx, s.Store, s.Job.ProjectID, in.ArtifactType)
	if err != nil {
		return nil, err
	}
	if in.FileSize > limit {
		return nil, fault.TooLarge()
	}
	return rest.JSON(http.StatusOK, map[string]any{"MaximumSize": limit}), nil
}

type artifactUpload struct {
	ID             int64  `param:"id"`
	Token          string `param:"token"` // the guard has read it
	ArtifactType   string `param:"artifact_type" default:"archive"`
	ArtifactFormat string `param:"artifact_format" default:"zip"`
	ExpireIn       string `param:"expire_in"`
	Accessibility  string `param:"accessibility" oneof:"public private"`
	rest.Body
}

// upload stores the file of a form. It is read as it comes, and never held as a whole.
func (a jobArtifacts) upload(ctx context.Context, s runnerJob, in artifactUpload) (rest.Raw, error) {
	limit, err := ci.ArtifactLimit(ctx, s.Store, s.Job.ProjectID, in.ArtifactType)
	if err != nil {
		return nil, err
	}
	if in.Size > limit+maxFormValue {
		return nil, fault.TooLarge()
	}
	file, err := in.Upload("file")
	if err != nil {
		return nil, err
	}
	for name, field := range map[string]*string{
		"artifact_type": &in.ArtifactType, "artifact_format": &in.ArtifactFormat, "expire_in": &in.ExpireIn,
		"accessibility": &in.Accessibility,
	} { // those of the form count like parameters of the address
		if value, ok := file.Fields[name]; ok {
			*field = value
		}
	}
	err = ci.StoreArtifact(ctx, s.Store, s.Job, ci.Upload{
		Type: in.ArtifactType, Format: in.ArtifactFormat, Name: file.Name, ExpireIn: in.ExpireIn,
		Private: in.Accessibility == "private", Content: file,
	})
	if _, ok := fault.From(err); !ok && err != nil {
		err = fault.Unavailable().Because(err) // the runner tries again
	}
	return plainly(http.StatusCreated), err
}

type artifactDownload struct {
	ID             int64  `param:"id"`
	Token          string `param:"token"` // the guard has read it
	DirectDownload bool   `param:"direct_download"`
}

// download sends the archive of a job.
func (a jobArtifacts) download(ctx context.Context, s runnerJob, _ artifactDownload) (rest.Raw, error) {
	archive, err := ci.FindArtifact(ctx, s.Store, s.Job.ID, ci.ArchiveFile)
	if err == nil && s.foreign {
		var gone bool
		if gone, err = archive.HasExpired(ctx, s.Store); err == nil && (gone || !archive.IsFor(s.level)) {
			err = fault.Forbidden("")
		}
	}
	if err != nil {
		return nil, err
	}
	return sentArtifact(a.log, s.Store, archive), nil
}

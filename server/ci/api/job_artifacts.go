package api

import (
	"context"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"hew/server/ci"
	"hew/server/fault"
	"hew/server/patience"
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
	kind, params, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, fault.Param("file is missing")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := a.store(r.Context(), s, in, multipart.NewReader(patience.NewReader(r.Context(), w, in.Reader), params["boundary"]))
		f, refused := fault.From(err)
		switch {
		case err == nil:
			plainly(http.StatusCreated).ServeHTTP(w, r)
		case refused && f.Code == fault.CodeForbidden:
			s.Job, err = ci.FindJob(r.Context(), s.Store, s.Job.ID)
			stopped(s.Job).ServeHTTP(w, r)
		case refused:
			rest.Fail(w, f)
		default:
			a.log.WarnContext(r.Context(), "artifact not stored", "job", s.Job.ID, "type", in.ArtifactType, "error", err)
			rest.Fail(w, fault.Unavailable())
		}
	}), nil
}

// store reads a form up to its file, and stores that. The fields before it count like parameters of
// the address.
func (jobArtifacts) store(ctx context.Context, s runnerJob, in artifactUpload, form *multipart.Reader) error {
	fields := map[string]*string{
		"artifact_type": &in.ArtifactType, "artifact_format": &in.ArtifactFormat, "expire_in": &in.ExpireIn,
		"accessibility": &in.Accessibility,
	}
	for {
		part, err := form.NextPart()
		switch {
		case err == io.EOF:
			return fault.Param("file is missing")
		case err != nil:
			return fault.BadRequest("the form cannot be read").Because(err)
		case part.FormName() == "file":
			return ci.StoreArtifact(ctx, s.Store, s.Job, ci.Upload{
				Type: in.ArtifactType, Format: in.ArtifactFormat, Name: part.FileName(), ExpireIn: in.ExpireIn,
				Private: in.Accessibility == "private", Content: part,
			})
		}
		if field := fields[part.FormName()]; field != nil {
			value, err := io.ReadAll(io.LimitReader(part, maxFormValue))
			if err != nil {
				return fault.BadRequest("the form cannot be read").Because(err)
			}
			*field = string(value)
		}
	}
}

type artifactDownload struct {
	ID             int64  `param:"id"`
	Token          string `param:"token"` // the guard has read it
	DirectDownload bool   `param:"direct_download"`
}

// download sends the archive of a job.
func (a jobArtifacts) download(ctx context.Context, s runnerJob, _ artifactDownload) (rest.Raw, error) {
	archive, err := ci.FindArtifact(ctx, s.Store, s.Job.ID, ci.ArchiveFile)
	if err == nil && s.foreign && !archive.IsFor(s.level) {
		err = fault.Forbidden("")
	}
	if err != nil {
		return nil, err
	}
	return sentArtifact(a.log, s.Store, archive), nil
}

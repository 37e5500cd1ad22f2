package api

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"hew/server/auth"
	"hew/server/blob/serve"
	"hew/server/ci"
	"hew/server/deadline"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// artifacts are the routes of what jobs leave behind (gaps §10.1).
type artifacts struct {
	*view.Site
	log *slog.Logger
}

// transferTime is how long a file may take to its client.
const transferTime = time.Hour

func (a artifacts) routes() []rest.Route {
	const one = "/projects/{id}/jobs/{job_id}"
	read := forJob(policy.ReadPipeline, auth.JobScope)
	readAll := scope.ForProject(policy.ReadPipeline, auth.JobScope)
	return []rest.Route{
		rest.Get(one+"/trace", forJob(policy.ReadPipeline), a.trace).Timeout(transferTime),
		rest.Post(one+"/artifacts/keep", forJob(updatePipeline), a.keep).Status(200),
		rest.Get(one+"/artifacts", read, a.download).Timeout(transferTime),
		rest.Get(one+"/artifacts/{artifact_path...}", read, a.file).Timeout(transferTime),
		rest.Get("/projects/{id}/jobs/artifacts/{ref_path...}", readAll, a.ofRef).Timeout(transferTime).Priority(),
		rest.Delete(one+"/artifacts", forJob(deleteArtifacts), a.delete),
		rest.Delete("/projects/{id}/artifacts", scope.ForProject(deleteArtifacts), a.deleteAll).Status(202),
	}
}

// trace answers with what the runner of the job has written so far. Clients that follow a job ask
// for what they do not have yet, by Range. That of a job that is debugged shows the values of
// variables, so it is for developers.
func (artifacts) trace(ctx context.Context, s inJob, _ jobID) (rest.Raw, error) {
	if s.Job.Kind != ci.Build {
		return nil, fault.NotFound("")
	}
	if s.Job.DebugTrace && !s.Can(readPrivateArtifacts) {
		return nil, fault.Forbidden("")
	}
	content, err := ci.OpenTrace(ctx, s.Store, s.Job)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { _ = content.Close() }() // nothing is lost
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		http.ServeContent(deadline.NewWriter(r.Context(), w), r, "", time.Time{}, content)
	}), nil
}

// keep keeps the artifacts of a job until somebody deletes them.
func (a artifacts) keep(ctx context.Context, s inJob, _ jobID) (none jobView, err error) {
	if err := s.mayRun(ctx); err != nil {
		return none, err
	}
	of, err := ci.ArtifactsOf(ctx, s.Store, s.Job.ID)
	if err == nil && len(of[s.Job.ID]) == 0 {
		err = fault.NotFound("")
	}
	if err == nil {
		err = ci.KeepArtifacts(ctx, s.Store, s.Job.ID)
	}
	if err != nil {
		return none, err
	}
	j, err := ci.FindJob(ctx, s.Store, s.Job.ID)
	return jobs{a.Site}.one(ctx, s, j, err)
}

// archive returns the archive of a job that the caller may read.
func (s inJob) archive(ctx context.Context) (ci.Artifact, error) {
	a, err := ci.FindArtifact(ctx, s.Store, s.Job.ID, ci.ArchiveFile)
	if err != nil {
		return a, err
	}
	gone, err := a.HasExpired(ctx, s.Store)
	switch {
	case err != nil:
		return a, err
	case gone:
		return a, fault.NotFound("")
	case !s.mayHave(a):
		return a, fault.Forbidden("")
	}
	return a, nil
}

// mayHave reports whether the caller, who sees the job, may read an artifact of it.
func (s inJob) mayHave(a ci.Artifact) bool {
	switch a.Access {
	case ci.AllAccess:
		return true
	case ci.DeveloperAccess:
		return s.Can(readPrivateArtifacts)
	case ci.MaintainerAccess:
		return s.Can(adminPipeline)
	}
	return false
}

func (t artifacts) download(ctx context.Context, s inJob, _ jobID) (rest.Raw, error) {
	a, err := s.archive(ctx)
	if err != nil {
		return nil, err
	}
	return serve.File{Log: t.log, Store: s.Store, BlobID: a.BlobID, Name: a.Filename, Modified: a.CreatedAt}, nil
}

type artifactPath struct {
	jobID
	Path string `param:"artifact_path"`
}

// file answers with one file of the archive.
func (a artifacts) file(ctx context.Context, s inJob, in artifactPath) (rest.Raw, error) {
	found, err := s.archive(ctx)
	if err != nil {
		return nil, err
	}
	archive, err := ci.OpenArchive(ctx, s.Store, found)
	if err != nil {
		return nil, err
	}
	var content io.Reader
	entry, err := archive.Find(in.Path)
	if err == nil {
		content, err = archive.Read(entry)
	}
	if err != nil {
		_ = archive.Close() // the first error says more
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { _ = archive.Close() }() // nothing is lost
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", serve.Attachment(path.Base(entry.Path)))
		if r.Method == http.MethodHead {
			return
		}
		if _, err := io.Copy(deadline.NewWriter(r.Context(), w), content); err != nil {
			a.log.WarnContext(r.Context(), "artifact not sent", "job", s.Job.ID, "error", err)
			panic(http.ErrAbortHandler) // or the client takes a part for the whole
		}
	}), nil
}

type artifactsOfRef struct {
	Path string `param:"ref_path"`
	Job  string `param:"job,required"`
}

// ofRef answers with the archive of the latest successful pipeline of a ref, or with a file of it:
// REF/download or REF/raw/PATH. The name of a ref can contain slashes.
func (a artifacts) ofRef(ctx context.Context, s scope.InProject, in artifactsOfRef) (rest.Raw, error) {
	ref, whole := strings.CutSuffix(in.Path, "/download")
	file := ""
	if !whole {
		var found bool
		if ref, file, found = strings.Cut(in.Path, "/raw/"); !found {
			return nil, fault.NotFound("")
		}
	}
	j, err := ci.LatestJob(ctx, s.Store, s.Project.ID, ref, in.Job)
	if err != nil {
		return nil, err
	}
	if whole {
		return a.download(ctx, inJob{s, j}, jobID{j.ID})
	}
	return a.file(ctx, inJob{s, j}, artifactPath{jobID{j.ID}, file})
}

func (artifacts) delete(ctx context.Context, s inJob, _ jobID) (rest.None, error) {
	err := s.mayRun(ctx)
	if err == nil {
		err = ci.RemoveArtifacts(ctx, s.Store, s.Job.ID)
	}
	return rest.None{}, err
}

func (artifacts) deleteAll(ctx context.Context, s scope.InProject, _ rest.None) (rest.None, error) {
	return rest.None{}, ci.RemoveProjectArtifacts(ctx, s.Store, s.Project.ID)
}

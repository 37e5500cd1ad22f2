package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/setting"
)

// expireArtifacts asks to remove the artifacts that have expired.
type expireArtifacts struct{ jobs.Sole }

// Kind implements jobs.Args.
func (expireArtifacts) Kind() string { return "expire_artifacts" }

const (
	expireEvery = 10 * time.Minute
	maxExpired  = 1000 // artifacts of one statement
)

// isLatest is the condition that artifacts of a pipeline l of a project p are kept though they have
// expired: it is the last of its ref that succeeded, and the project keeps those.
const isLatest = `coalesce((p.settings ->> 'keep_latest_artifact')::boolean, true) and l.status = 'success'
	and not exists (select from pipelines newer where newer.project_id = l.project_id
		and newer.ref = l.ref and newer.tag = l.tag and newer.id > l.id and newer.status = 'success')`

// HasExpired reports whether an artifact is not to be had any more: it may not be removed yet.
func (a Artifact) HasExpired(ctx context.Context, st *db.Store) (bool, error) {
	if a.ExpireAt == nil || a.ExpireAt.After(time.Now()) {
		return false, nil
	}
	settings, err := setting.Read(ctx, st)
	if err != nil || !settings.KeepLatest {
		return true, err
	}
	kept, err := db.Value[bool](ctx, st, `
		select exists (select from jobs j join pipelines l on l.id = j.pipeline_id join projects p on p.id = j.project_id
			where j.id = @job and `+isLatest+`)`, pgx.NamedArgs{"job": a.JobID})
	return !kept, err
}

// ExpireArtifacts removes the artifacts that have expired at a time. Those of the last pipeline of
// a ref that succeeded are kept, if the project and the instance say so.
func ExpireArtifacts(ctx context.Context, st *db.Store, now time.Time) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	for {
		n, err := st.Affected(ctx, `
			delete from job_artifacts a where a.id in (
				select a.id from job_artifacts a join jobs j on j.id = a.job_id join pipelines l on l.id = j.pipeline_id
				join projects p on p.id = a.project_id
				where a.expire_at <= @now and not (@keep and `+isLatest+`)
				limit @most)`, pgx.NamedArgs{"now": now, "keep": settings.KeepLatest, "most": maxExpired})
		if err != nil || n < maxExpired {
			return err
		}
	}
}

// doExpireArtifacts does the task expireArtifacts.
func doExpireArtifacts(ctx context.Context, st *db.Store, _ expireArtifacts) error {
	return ExpireArtifacts(ctx, st, time.Now())
}

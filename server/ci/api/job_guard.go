package api

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strconv"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/secret"
)

// runnerJob is the scope of a route that a runner calls for its job, with the token of the job.
type runnerJob struct {
	Store *db.Store
	Job   ci.Job // as it was when the guard looked; it may be over

	foreign bool         // the caller is a job of another project
	level   policy.Level // that its user then has in the project of the job
}

// tokenOf returns the token of a job from its header, or else from a parameter.
func tokenOf(r *http.Request) string {
	for _, token := range []string{r.Header.Get("JOB-TOKEN"), rest.Param(r, "token"), rest.Param(r, "job_token")} {
		if token != "" {
			return token
		}
	}
	return ""
}

// ownJob admits the runner of the job in the path. The job may be over: runners are told so.
func ownJob() rest.Guard[runnerJob] {
	return rest.Guard[runnerJob]{Need: "own_job", Open: func(ctx context.Context, r *http.Request) (runnerJob, error) {
		s := runnerJob{Store: db.From(ctx)}
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return s, fault.Param("id is invalid")
		}
		s.Job, err = ci.FindJob(ctx, s.Store, id)
		if fault.IgnoreNotFound(err) != nil {
			return s, err
		}
		digest := secret.Digest(tokenOf(r))
		if err != nil || subtle.ConstantTimeCompare(digest[:], s.Job.TokenDigest) != 1 {
			return s, fault.Forbidden("")
		}
		return s, nil
	}}
}

// anyJob admits a job that runs to something of the job in the path: of its own project, or of one
// that lets the token in and whose pipelines its user reads.
func anyJob() rest.Guard[runnerJob] {
	return rest.Guard[runnerJob]{Need: "job_token", Open: func(ctx context.Context, r *http.Request) (runnerJob, error) {
		s := runnerJob{Store: db.From(ctx)}
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return s, fault.Param("id is invalid")
		}
		token := tokenOf(r)
		if token == "" {
			return s, fault.Unauthorized()
		}
		digest := secret.Digest(token)
		by, err := ci.JobByDigest(ctx, s.Store, digest[:])
		switch {
		case fault.CodeOf(err) == fault.CodeNotFound, err == nil && !by.Running():
			return s, fault.Forbidden("")
		case err != nil:
			return s, err
		}
		s.Job, err = ci.FindJob(ctx, s.Store, id)
		if err == nil && s.Job.ProjectID != by.ProjectID {
			s.foreign = true
			s.level, err = crossLevel(ctx, s.Store, digest[:], s.Job)
		}
		return s, err
	}}
}

// crossLevel returns the level that the user of a job's token has in the project of another job; a
// not-found fault if the token does not read that job.
func crossLevel(ctx context.Context, st *db.Store, digest []byte, of ci.Job) (policy.Level, error) {
	token, err := people.FindJobToken(ctx, st, digest)
	if err == nil && token.UserID == nil {
		err = fault.NotFound("")
	}
	if err != nil {
		return 0, err
	}
	p, err := ci.ReachedProject(ctx, st, token, strconv.FormatInt(of.ProjectID, 10))
	if err != nil {
		return 0, fault.NotFound("")
	}
	return policy.Level(p.Level), nil
}

// whileRunning returns a handler that tells runners whose job is over so, with its state: they stop
// it.
func whileRunning[In any](
	h func(context.Context, runnerJob, In) (rest.Raw, error),
) rest.Handler[runnerJob, In, rest.Raw] {
	return func(ctx context.Context, s runnerJob, in In) (rest.Raw, error) {
		if !s.Job.Running() {
			return stopped(s.Job), nil
		}
		answer, err := h(ctx, s, in)
		if fault.CodeOf(err) != fault.CodeForbidden {
			return answer, err
		}
		now, found := ci.FindJob(ctx, s.Store, s.Job.ID)
		if found != nil || now.Running() {
			return answer, err
		}
		return stopped(now), nil
	}
}

// stopped returns the answer of a job that does not run.
func stopped(j ci.Job) rest.Raw {
	text := "403 Forbidden - Job is not running"
	if j.ErasedAt != nil {
		text = "403 Forbidden - Job has been erased!"
	}
	return withStatus(j, rest.JSON(http.StatusForbidden, map[string]string{"message": text}))
}

// withStatus adds the state of a job to an answer. Canceled or failed makes the runner stop at
// once, canceling when the script has ended.
func withStatus(j ci.Job, answer rest.Raw) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Job-Status", string(j.Status))
		answer.ServeHTTP(w, r)
	})
}

// plainly returns an answer that says no more than its status.
func plainly(status int) rest.Raw { return rest.JSON(status, status) }

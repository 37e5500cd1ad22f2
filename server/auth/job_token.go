package auth

import (
	"context"
	"net/http"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/secret"
	"hew/server/tree"
)

// JobScope is the scope of the tokens of jobs. A route that accepts them names it in its guard (CI
// facts §2.2).
const JobScope = "job_token"

// JobUser is the user name that git and package clients send with the token of a job.
const JobUser = "gitlab-ci-token"

// jobToken returns the job token of a request, "" without one.
func (a *Auth) jobToken(r *http.Request) string {
	if token := r.Header.Get("JOB-TOKEN"); token != "" {
		return token
	}
	return a.param(r, "job_token")
}

// byJob returns the caller of a job's token, with the scopes. A token that is not that of a running
// job, or whose user may not use the API, is an unauthorized fault. Nothing is cached: the token is
// worth nothing from the moment on at which the job ends.
func (a *Auth) byJob(ctx context.Context, token string, scopes ...string) (Caller, error) {
	digest := secret.Digest(token)
	return jobCaller(ctx, a.store, digest[:], scopes...)
}

// jobCaller returns the caller of the job's token with a digest, as byJob does.
func jobCaller(ctx context.Context, st *db.Store, digest []byte, scopes ...string) (Caller, error) {
	t, err := people.FindJobToken(ctx, st, digest)
	if fault.CodeOf(err) == fault.CodeNotFound || err == nil && t.UserID == nil {
		return Nobody, fault.Unauthorized()
	}
	if err != nil {
		return Nobody, err
	}
	user, err := tree.FindUser(ctx, st, *t.UserID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound, err == nil && !user.Usable():
		return Nobody, fault.Unauthorized()
	case err != nil:
		return Nobody, err
	}
	return Caller{User: user, Token: people.Token{Scopes: scopes}, JobToken: &t}, nil
}

// Within takes the caller's level in a project away if it comes with a job token that the project
// does not let in. What everybody sees is seen by jobs, too.
func (c Caller) Within(ctx context.Context, st *db.Store, p *tree.FoundProject) error {
	if c.JobToken == nil {
		return nil
	}
	ok, err := c.JobToken.Reaches(ctx, st, p.Project)
	if err == nil && !ok {
		p.Level, p.GroupLevel, p.OwnLevel = 0, 0, 0
	}
	return err
}

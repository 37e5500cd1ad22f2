package auth

import (
	"context"
	"net/http"
	"strings"

	"hew/server/fault"
	"hew/server/people"
	"hew/server/secret"
)

// AuthenticateClient does what Authenticate does for clients that send a user name and a password,
// and also returns a context with the caller of a job's token or a deploy token (more-2 §7). A
// deploy token that is unknown, revoked or expired, and one with the user name of another, are
// faults.
func (a *Auth) AuthenticateClient(ctx context.Context, r *http.Request) (context.Context, error) {
	username, password, ok := r.BasicAuth()
	if ok && username == JobUser && strings.HasPrefix(password, people.JobTokenPrefix) {
		caller, err := a.byJob(ctx, password, JobScope, "read_repository", "write_repository")
		return With(ctx, caller), err
	}
	if !ok || !strings.HasPrefix(password, people.DeployTokenPrefix) || r.Header.Get("PRIVATE-TOKEN") != "" {
		return a.Authenticate(ctx, r)
	}
	digest := secret.Digest(password)
	t, err := people.FindDeployToken(ctx, a.store, digest[:])
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return a.Authenticate(ctx, r) // the prefix of personal tokens can be the same
	case err != nil:
		return ctx, err
	case t.Username != username:
		return ctx, fault.Unauthorized()
	case t.Revoked:
		return ctx, fault.InvalidToken("Token was revoked. Create another deploy token.")
	case t.Expired():
		return ctx, fault.InvalidToken("Token is expired. Create another deploy token.")
	}
	return With(ctx, Caller{DeployToken: &t}), nil
}

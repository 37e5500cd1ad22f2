package auth

import (
	"context"
	"net/http"
	"strings"

	"hew/schema/pattern"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/secret"
)

// KeyHeader is where a NuGet client sends the key of a source, which is a token of any kind (gaps
// §11).
const KeyHeader = "X-NuGet-ApiKey"

// AuthenticateClient does what Authenticate does for git clients: a job's token may also read and
// write repositories there.
func (a *Auth) AuthenticateClient(ctx context.Context, r *http.Request) (context.Context, error) {
	if caller, known, err := a.byPassword(ctx, r, JobScope, "read_repository", "write_repository"); known {
		return With(ctx, caller), err
	}
	return a.Authenticate(ctx, r)
}

// byPassword returns the caller of basic authentication with the token of a job, which then has the
// scopes, or a deploy token (more-2 §7), and whether the request has one of those. A deploy token
// that is revoked or expired, and one with the user name of another, are faults.
func (a *Auth) byPassword(ctx context.Context, r *http.Request, jobScopes ...string) (c Caller, known bool, err error) {
	username, password, ok := r.BasicAuth()
	switch {
	case !ok || r.Header.Get("PRIVATE-TOKEN") != "":
		return Nobody, false, nil
	case username == JobUser && strings.HasPrefix(password, people.JobTokenPrefix):
		c, err = a.byJob(ctx, password, jobScopes...)
		return c, true, err
	}
	c, known, err = a.byDeployToken(ctx, password)
	if err == nil && known && c.DeployToken.Username != username {
		return Nobody, true, fault.Unauthorized()
	}
	return c, known, err
}

// feedAddress matches the addresses at which NuGet clients publish and delete.
var feedAddress = pattern.Lazy(`^/api/v4/projects/[^/]+/packages/(nuget|pkgfeed)(/|$)`)

// byKey returns the caller of a NuGet client that sends a key instead of a password, and whether
// the request has one. Keys only publish and delete packages.
func (a *Auth) byKey(ctx context.Context, r *http.Request) (c Caller, known bool, err error) {
	key := r.Header.Get(KeyHeader)
	changes := r.Method == http.MethodPut || r.Method == http.MethodDelete
	switch {
	case key == "" || !changes || !feedAddress().MatchString(r.URL.EscapedPath()):
		return Nobody, false, nil
	case strings.HasPrefix(key, people.JobTokenPrefix):
		c, err = a.byJob(ctx, key, JobScope)
		return c, true, err
	}
	if c, known, err = a.byDeployToken(ctx, key); known {
		return c, true, err
	}
	if c, err = a.callerOf(ctx, key); err == nil {
		a.recordUse(c.Token, Address(r))
	}
	return c, true, err
}

// byDeployToken returns the caller of a deploy token, and whether it is one: the prefix of personal
// tokens can be the same.
func (a *Auth) byDeployToken(ctx context.Context, token string) (c Caller, known bool, err error) {
	if !strings.HasPrefix(token, people.DeployTokenPrefix) {
		return Nobody, false, nil
	}
	digest := secret.Digest(token)
	return deployCaller(ctx, a.store, digest[:])
}

// deployCaller returns the caller of the deploy token with a digest, and whether there is one.
func deployCaller(ctx context.Context, st *db.Store, digest []byte) (c Caller, known bool, err error) {
	t, err := people.FindDeployToken(ctx, st, digest)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return Nobody, false, nil
	case err != nil:
		return Nobody, true, err
	case t.Revoked:
		return Nobody, true, fault.InvalidToken("Token was revoked. Create another deploy token.")
	case t.Expired():
		return Nobody, true, fault.InvalidToken("Token is expired. Create another deploy token.")
	}
	return Caller{DeployToken: &t}, true, nil
}

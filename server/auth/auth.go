// Package auth identifies the caller of a request: by token, by basic authentication, by sudo. It
// also checks the scopes of the token.
//
// A job calls with its token for the user who started it, where a route accepts that, until it
// ends.
//
// A deploy token is a caller without a user. Clients that send a user name and a password have it,
// such as git and those of packages; routes that do not name its scopes do not know it (gaps §1.3).
package auth

import (
	"context"
	"net"
	"net/http"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/secret"
	"hew/server/setting"
	"hew/server/tree"
)

// Auth identifies callers. It is safe for concurrent use.
type Auth struct {
	store *db.Store
	param func(*http.Request, string) string
	cache *callerCache
	uses  chan tokenUse
}

// New returns an Auth that reads from st, which must be bound to the pool. param reads a parameter
// of a request whose route is not known yet, from the query or the body.
func New(st *db.Store, param func(*http.Request, string) string) *Auth {
	a := &Auth{store: st, param: param, cache: newCache(), uses: make(chan tokenUse, 256)}
	st.OnUserChange(a.cache.forget)
	return a
}

// Authenticate returns a context with the caller: Nobody if the request has no token, the holder of
// the token, or the user whom an administrator acts as (sudo). An invalid token, a user who may not
// use the API and a sudo that is not allowed are faults.
func (a *Auth) Authenticate(ctx context.Context, r *http.Request) (context.Context, error) {
	caller, err := a.caller(ctx, r)
	if err != nil {
		return ctx, err
	}
	if as := a.sudo(r); as != "" {
		if caller, err = a.actAs(ctx, caller, as); err != nil {
			return ctx, err
		}
	}
	return With(ctx, caller), nil
}

// caller returns who has the token of a request, or Nobody.
func (a *Auth) caller(ctx context.Context, r *http.Request) (Caller, error) {
	if c, known, err := a.byPassword(ctx, r, JobScope); known {
		return c, err
	}
	if token := a.token(r); token != "" {
		c, err := a.callerOf(ctx, token)
		if err == nil {
			a.recordUse(c.Token, Address(r))
		}
		return c, err
	}
	if c, known, err := a.byKey(ctx, r); known {
		return c, err
	}
	token := a.jobToken(r)
	if token == "" {
		return Nobody, nil
	}
	c, err := a.byJob(ctx, token, JobScope)
	if fault.CodeOf(err) == fault.CodeUnauthorized {
		c, err = Caller{dead: true}, nil // the guards say so: runners tell of jobs that are over
	}
	return c, err
}

// token returns the token of a request, "" without one. It can be in PRIVATE-TOKEN, a bearer token,
// the password of basic authentication (with any user name) or a parameter.
func (a *Auth) token(r *http.Request) string {
	if token := r.Header.Get("PRIVATE-TOKEN"); token != "" {
		return token
	}
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	if token := a.param(r, "private_token"); token != "" {
		return token
	}
	return a.param(r, "access_token")
}

func (a *Auth) sudo(r *http.Request) string {
	if as := r.Header.Get("Sudo"); as != "" {
		return as
	}
	return a.param(r, "sudo")
}

// callerOf returns the holder of a token. What it knows of them can be cacheTTL old; it checks
// every time whether the token has expired.
func (a *Auth) callerOf(ctx context.Context, token string) (Caller, error) {
	digest := secret.Digest(token)
	caller, ok := a.cache.get(digest)
	if !ok {
		var err error
		if caller, err = a.loadCaller(ctx, digest); err != nil {
			return Nobody, err
		}
	}
	if err := caller.check(); err != nil {
		return Nobody, err
	}
	return caller, nil
}

func (a *Auth) loadCaller(ctx context.Context, digest [32]byte) (Caller, error) {
	epoch := a.cache.currentEpoch()
	user, token, err := people.FindTokenOwner(ctx, a.store, digest[:])
	if fault.CodeOf(err) == fault.CodeNotFound {
		return Nobody, fault.Unauthorized()
	}
	if err != nil {
		return Nobody, err
	}
	settings, err := setting.Read(ctx, a.store)
	if err != nil {
		return Nobody, err
	}
	caller := Caller{User: user, Token: token, adminMode: settings.AdminMode}
	a.cache.put(digest, caller, epoch)
	return caller, nil
}

// actAs returns the caller who acts as another user, which only an administrator can.
func (a *Auth) actAs(ctx context.Context, c Caller, as string) (Caller, error) {
	switch {
	case !c.Signed():
		return Nobody, fault.Unauthorized()
	case !c.Admin():
		return Nobody, fault.Forbidden("Must be admin to use sudo")
	case !c.Allows("sudo"):
		return Nobody, fault.InsufficientScope("sudo")
	}
	user, err := tree.UserByRef(ctx, a.store, as)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return Nobody, fault.NotFound("User with ID or username '" + as + "'")
	}
	if err != nil {
		return Nobody, err
	}
	if !user.Usable() {
		return Nobody, blockedUser()
	}
	return Caller{User: user, Token: c.Token, By: c.User.ID, adminMode: c.adminMode}, nil
}

func blockedUser() error { return fault.Forbidden("Your account has been blocked.") }

// Address returns the address that a request comes from, without the port.
func Address(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

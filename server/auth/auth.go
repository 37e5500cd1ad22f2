// Package auth finds out who is calling: tokens, passwords, sudo, scopes.
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

// Auth recognises callers. It is safe for concurrent use.
type Auth struct {
	store *db.Store
	param func(*http.Request, string) string
	known *cache
	used  chan use
}

// New makes an Auth over a store bound to the pool. Param reads one parameter of a request whose route is not known yet,
// from query or body.
func New(st *db.Store, param func(*http.Request, string) string) *Auth {
	a := &Auth{store: st, param: param, known: newCache(), used: make(chan use, 256)}
	st.OnUserChange(a.known.forget)
	return a
}

// Authenticate puts the caller into the context: Nobody if the request carries no token, the holder of the token, or
// the user whom an administrator acts as (sudo). A token that is not good, a user who may not use the API and a sudo
// that is not allowed are faults (gaps §1.3).
func (a *Auth) Authenticate(ctx context.Context, r *http.Request) (context.Context, error) {
	caller := Nobody
	if token := a.token(r); token != "" {
		var err error
		if caller, err = a.holder(ctx, token); err != nil {
			return ctx, err
		}
		a.note(caller.Token, Address(r))
	}
	if as := a.sudo(r); as != "" {
		var err error
		if caller, err = a.become(ctx, caller, as); err != nil {
			return ctx, err
		}
	}
	return With(ctx, caller), nil
}

// token is the credential of a request, from wherever the public API takes it: header, bearer, the password of basic
// authentication (with any user name), parameter.
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

// holder is who a token belongs to. What was read may be a few seconds old; whether the token has expired is asked every
// time.
func (a *Auth) holder(ctx context.Context, token string) (Caller, error) {
	digest := secret.Digest(token)
	caller, ok := a.known.get(digest)
	if !ok {
		var err error
		if caller, err = a.load(ctx, digest); err != nil {
			return Nobody, err
		}
	}
	switch {
	case caller.Token.Expired():
		return Nobody, fault.InvalidToken("Token is expired. You can either do re-authorization or token refresh.")
	case caller.Token.Revoked:
		return Nobody, fault.InvalidToken("Token was revoked. You have to re-authorize from the user.")
	case !caller.User.Usable():
		return Nobody, blocked()
	}
	return caller, nil
}

func (a *Auth) load(ctx context.Context, digest [32]byte) (Caller, error) {
	epoch := a.known.now()
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
	a.known.put(digest, caller, epoch)
	return caller, nil
}

// become lets an administrator act as somebody else.
func (a *Auth) become(ctx context.Context, c Caller, as string) (Caller, error) {
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
		return Nobody, blocked()
	}
	return Caller{User: user, Token: c.Token, By: c.User.ID, adminMode: c.adminMode}, nil
}

func blocked() error { return fault.Forbidden("Your account has been blocked.") }

// Address is where a request comes from, without the port.
func Address(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

package api

import (
	"context"
	"strings"
	"time"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/store"
)

// tokens are personal access tokens (gaps §2.2). A token is shown once, in the answer that makes it.
type tokens struct{ *API }

func (a tokens) routes() []rest.Route {
	user, admin := a.signed(), a.admin()
	self := a.signed("read_user", "read_repository", "read_registry", "self_rotate")
	rotate := a.signed("self_rotate")
	return []rest.Route{
		rest.Get("/personal_access_tokens", user, a.list),
		rest.Get("/personal_access_tokens/self", self, a.self),
		rest.Get("/personal_access_tokens/{id}", user, a.show),
		rest.Post("/users/{user_id}/personal_access_tokens", admin, a.createFor),
		rest.Post("/user/personal_access_tokens", user, a.createOwn),
		rest.Post("/personal_access_tokens/self/rotate", rotate, a.rotateOwn).Status(200),
		rest.Post("/personal_access_tokens/{id}/rotate", user, a.rotate).Status(200),
		rest.Delete("/personal_access_tokens/self", self, a.revokeOwn),
		rest.Delete("/personal_access_tokens/{id}", user, a.revoke),
	}
}

type tokenView struct {
	store.Token
	Active bool   `json:"active"`
	Plain  string `json:"token,omitempty"` // only where it was made
}

func showToken(t store.Token) tokenView { return tokenView{Token: t, Active: t.Active()} }

type tokenList struct {
	rest.Paging
	UserID         int64      `param:"user_id"`
	Revoked        *bool      `param:"revoked"`
	State          string     `param:"state" oneof:"active inactive"`
	Search         string     `param:"search"`
	CreatedAfter   *time.Time `param:"created_after"`
	CreatedBefore  *time.Time `param:"created_before"`
	LastUsedAfter  *time.Time `param:"last_used_after"`
	LastUsedBefore *time.Time `param:"last_used_before"`
	ExpiresAfter   time.Time  `param:"expires_after,date"`
	ExpiresBefore  time.Time  `param:"expires_before,date"`
	Sort           string     `param:"sort" default:"id_desc" oneof:"id_asc id_desc created_asc created_desc expires_asc expires_desc last_used_asc last_used_desc name_asc name_desc"`
}

// list lists the caller's tokens; an administrator's list is everybody's unless he names a user.
func (tokens) list(ctx context.Context, s Signed, in tokenList) (rest.List[tokenView], error) {
	if !s.Caller.Admin() {
		if in.UserID != 0 && in.UserID != s.Caller.ID() {
			return rest.List[tokenView]{}, fault.Unauthorized()
		}
		in.UserID = s.Caller.ID()
	}
	f := store.TokenFilter{
		UserID: in.UserID, Search: in.Search, Revoked: in.Revoked,
		CreatedAfter: in.CreatedAfter, CreatedBefore: in.CreatedBefore,
		LastUsedAfter: in.LastUsedAfter, LastUsedBefore: in.LastUsedBefore,
		ExpiresAfter: store.DateOf(in.ExpiresAfter), ExpiresBefore: store.DateOf(in.ExpiresBefore),
	}
	if in.State != "" {
		active := in.State == "active"
		f.Active = &active
	}
	i := strings.LastIndexByte(in.Sort, '_')
	page := store.Page{Limit: in.Limit(), Offset: in.Offset(), Order: in.Sort[:i], Desc: in.Sort[i:] == "_desc"}
	return rest.Pages(showToken)(s.Store.Tokens(ctx, f, page))
}

// self reads the token again: what auth remembers of it may be seconds old.
func (tokens) self(ctx context.Context, s Signed, _ rest.None) (tokenView, error) {
	return rest.Show(showToken)(s.Store.Token(ctx, s.Caller.Token.ID))
}

// token finds a token that is the caller's own, or anybody's for an administrator. To others every foreign and every
// missing token look alike.
func token(ctx context.Context, s Signed, id int64) (store.Token, error) {
	t, err := s.Store.Token(ctx, id)
	if !s.Caller.Admin() && (fault.CodeOf(err) == fault.CodeNotFound || err == nil && t.UserID != s.Caller.ID()) {
		return t, fault.Unauthorized()
	}
	return t, err
}

func (tokens) show(ctx context.Context, s Signed, in rest.ByID) (tokenView, error) {
	return rest.Show(showToken)(token(ctx, s, in.ID))
}

type tokenNew struct {
	Name        string    `param:"name,required,notempty"`
	Description *string   `param:"description"`
	Scopes      []string  `param:"scopes,required,comma"`
	ExpiresAt   time.Time `param:"expires_at,date"`
}

// lifetime is how many days a token may be good for, and is unless it says otherwise.
const lifetime = 365

// makeToken stores a token for a user and shows it, this once.
func makeToken(ctx context.Context, st *store.Store, u store.User, in tokenNew) (tokenView, error) {
	if len(in.Scopes) == 0 {
		return tokenView{}, fault.Param("scopes is empty")
	}
	if err := auth.CheckScopes(in.Scopes, u); err != nil {
		return tokenView{}, err
	}
	expires := store.Today().Add(lifetime)
	if asked := store.DateOf(in.ExpiresAt); asked != nil {
		if asked.After(expires.Time) {
			return tokenView{}, fault.Invalid("expires_at", "must be before "+expires.Add(1).String())
		}
		if !asked.After(store.Today().Time) {
			return tokenView{}, fault.Invalid("expires_at", "must be a date in the future")
		}
		expires = *asked
	}
	settings, err := st.Settings(ctx)
	if err != nil {
		return tokenView{}, err
	}
	plain := auth.NewToken(settings.TokenPrefix)
	digest := auth.Digest(plain)
	t, err := st.CreateToken(ctx, store.Token{
		UserID: u.ID, Name: in.Name, Description: in.Description, Scopes: in.Scopes, ExpiresAt: &expires,
		Digest: digest[:], Prefix: settings.TokenPrefix,
	})
	return tokenView{Token: t, Active: t.Active(), Plain: plain}, err
}

type tokenNewFor struct {
	UserID int64 `param:"user_id"`
	tokenNew
}

func (tokens) createFor(ctx context.Context, s Admin, in tokenNewFor) (tokenView, error) {
	u, err := s.Store.User(ctx, in.UserID)
	if err != nil {
		return tokenView{}, err
	}
	return makeToken(ctx, s.Store, u, in.tokenNew)
}

// createOwn makes a token with no rights to speak of: others are given out by administrators only.
func (tokens) createOwn(ctx context.Context, s Signed, in tokenNew) (tokenView, error) {
	for _, scope := range in.Scopes {
		if scope != "k8s_proxy" && scope != "self_rotate" {
			return tokenView{}, fault.Param("scopes does not have a valid value")
		}
	}
	if in.ExpiresAt.IsZero() {
		in.ExpiresAt = store.Today().Add(1).Time
	}
	return makeToken(ctx, s.Store, s.Caller.User, in)
}

type tokenRotate struct {
	ID        int64     `param:"id"`
	ExpiresAt time.Time `param:"expires_at,date"`
}

func (a tokens) rotate(ctx context.Context, s Signed, in tokenRotate) (tokenView, error) {
	t, err := token(ctx, s, in.ID)
	if err != nil {
		return tokenView{}, err
	}
	return a.replace(ctx, s, t, in.ExpiresAt)
}

func (a tokens) rotateOwn(ctx context.Context, s Signed, in struct {
	ExpiresAt time.Time `param:"expires_at,date"`
}) (tokenView, error) {
	return a.replace(ctx, s, s.Caller.Token, in.ExpiresAt)
}

// rotate replaces a token by one like it, which is good for a week unless another date is asked for.
func (tokens) replace(ctx context.Context, s Signed, t store.Token, expires time.Time) (tokenView, error) {
	if !t.Active() {
		return tokenView{}, fault.BadRequest("token already revoked")
	}
	revoked, err := s.Store.RevokeToken(ctx, t)
	switch {
	case err != nil:
		return tokenView{}, err
	case !revoked: // somebody else was faster, and has the new one
		return tokenView{}, fault.BadRequest("token already revoked")
	}
	owner, err := s.Store.User(ctx, t.UserID)
	if err != nil {
		return tokenView{}, err
	}
	if expires.IsZero() {
		expires = store.Today().Add(7).Time
	}
	return makeToken(ctx, s.Store, owner, tokenNew{Name: t.Name, Description: t.Description, Scopes: t.Scopes, ExpiresAt: expires})
}

func (a tokens) revoke(ctx context.Context, s Signed, in rest.ByID) (rest.None, error) {
	t, err := token(ctx, s, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	return a.end(ctx, s, t)
}

func (a tokens) revokeOwn(ctx context.Context, s Signed, _ rest.None) (rest.None, error) {
	return a.end(ctx, s, s.Caller.Token)
}

func (tokens) end(ctx context.Context, s Signed, t store.Token) (rest.None, error) {
	revoked, err := s.Store.RevokeToken(ctx, t)
	if err == nil && !revoked {
		err = fault.BadRequest("token already revoked")
	}
	return rest.None{}, err
}

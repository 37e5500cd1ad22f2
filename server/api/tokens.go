package api

import (
	"context"
	"strings"
	"time"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// tokens are personal access tokens (gaps §2.2). A token is shown once, in the answer that makes it.
type tokens struct{ *Site }

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

func tokenViewOf(t store.Token) tokenView { return tokenView{Token: t, Active: t.Active()} }

func newTokenViewOf(t forge.NewToken) tokenView {
	return tokenView{Token: t.Token, Active: t.Active(), Plain: t.Plain}
}

type tokenList struct {
	UserID *int64 `param:"user_id"`
	tokenFilters
}

// tokenFilters are the parameters that all lists of tokens take.
type tokenFilters struct {
	rest.Paging
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

func (in tokenFilters) filter() store.TokenFilter {
	f := store.TokenFilter{
		Search: in.Search, Revoked: in.Revoked,
		CreatedAfter: in.CreatedAfter, CreatedBefore: in.CreatedBefore,
		LastUsedAfter: in.LastUsedAfter, LastUsedBefore: in.LastUsedBefore,
		ExpiresAfter: store.DateOf(in.ExpiresAfter), ExpiresBefore: store.DateOf(in.ExpiresBefore),
	}
	if in.State != "" {
		active := in.State == "active"
		f.Active = &active
	}
	return f
}

func (in tokenFilters) page() store.Page {
	i := strings.LastIndexByte(in.Sort, '_')
	return store.Page{Limit: in.Limit(), Offset: in.Offset(), Order: in.Sort[:i], Desc: in.Sort[i:] == "_desc"}
}

// list lists the caller's tokens; an administrator's list is everybody's unless he names a user.
func (tokens) list(ctx context.Context, s Signed, in tokenList) (rest.List[tokenView], error) {
	if own := s.Caller.ID(); !s.Caller.Admin() {
		if in.UserID != nil && *in.UserID != own {
			return rest.List[tokenView]{}, fault.Unauthorized()
		}
		in.UserID = &own
	}
	f := in.filter()
	f.UserID = in.UserID
	return rest.Pages(tokenViewOf)(s.Store.Tokens(ctx, f, in.page()))
}

// self reads the token again: what auth remembers of it may be seconds old.
func (tokens) self(ctx context.Context, s Signed, _ rest.None) (tokenView, error) {
	return rest.Show(tokenViewOf)(s.Store.Token(ctx, s.Caller.Token.ID))
}

// find finds a token that is the caller's own, or anybody's for an administrator. To others every foreign and every
// missing token look alike.
func (tokens) find(ctx context.Context, s Signed, id int64) (store.Token, error) {
	t, err := s.Store.Token(ctx, id)
	if !s.Caller.Admin() && (fault.CodeOf(err) == fault.CodeNotFound || err == nil && t.UserID != s.Caller.ID()) {
		return t, fault.Unauthorized()
	}
	return t, err
}

func (a tokens) show(ctx context.Context, s Signed, in rest.ByID) (tokenView, error) {
	return rest.Show(tokenViewOf)(a.find(ctx, s, in.ID))
}

type tokenNew struct {
	Name        string   `param:"name,required,notempty"`
	Description *string  `param:"description"`
	Scopes      []string `param:"scopes,required,comma"`
	tokenExpiry
}

type tokenExpiry struct {
	ExpiresAt time.Time `param:"expires_at,date"`
}

func (in tokenNew) token() store.Token {
	return store.Token{Name: in.Name, Description: in.Description, Scopes: in.Scopes, ExpiresAt: store.DateOf(in.ExpiresAt)}
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
	return rest.Show(newTokenViewOf)(forge.CreateToken(ctx, s.Store, u, in.token()))
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
	return rest.Show(newTokenViewOf)(forge.CreateToken(ctx, s.Store, s.Caller.User, in.token()))
}

type tokenRotate struct {
	rest.ByID
	tokenExpiry
}

func (a tokens) rotate(ctx context.Context, s Signed, in tokenRotate) (tokenView, error) {
	t, err := a.find(ctx, s, in.ID)
	if err != nil {
		return tokenView{}, err
	}
	return rotated(ctx, s, t, in.tokenExpiry)
}

func (tokens) rotateOwn(ctx context.Context, s Signed, in tokenExpiry) (tokenView, error) {
	return rotated(ctx, s, s.Caller.Token, in)
}

// rotated rotates a person's token. Those of groups and projects have routes of their own, which look at their levels.
func rotated(ctx context.Context, s Signed, t store.Token, until tokenExpiry) (tokenView, error) {
	if t.AccessLevel != nil {
		return tokenView{}, wrongKind()
	}
	return rest.Show(newTokenViewOf)(forge.RotateToken(ctx, s.Store, t, store.DateOf(until.ExpiresAt)))
}

func (a tokens) revoke(ctx context.Context, s Signed, in rest.ByID) (rest.None, error) {
	t, err := a.find(ctx, s, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, forge.RevokeToken(ctx, s.Store, a.Jobs, t)
}

func (a tokens) revokeOwn(ctx context.Context, s Signed, _ rest.None) (rest.None, error) {
	return rest.None{}, forge.RevokeToken(ctx, s.Store, a.Jobs, s.Caller.Token)
}

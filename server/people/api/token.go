package api

import (
	"context"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// tokens are personal access tokens (gaps §2.2). The answer that creates one is the only one that
// shows it.
type tokens struct{}

func (a tokens) routes() []rest.Route {
	user, admin := scope.ForSigned(), scope.ForAdmin()
	self := scope.ForSigned(people.TokenScopes...) // every token may show and revoke itself
	rotate := scope.ForSigned("self_rotate")
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

// TokenView is a token as it is shown.
type TokenView struct {
	people.Token
	Active bool   `json:"active"`
	Plain  string `json:"token,omitempty"` // only in the answer that creates it
}

// TokenViewOf returns the view of a stored token.
func TokenViewOf(t people.Token) TokenView { return TokenView{Token: t, Active: t.Active()} }

// IssuedTokenViewOf returns the view of a token that was just created.
func IssuedTokenViewOf(t people.IssuedToken) TokenView {
	return TokenView{Token: t.Token, Active: t.Active(), Plain: t.Plain}
}

type tokenList struct {
	UserID *int64 `param:"user_id"`
	TokenFilters
}

// TokenFilters are the parameters that all lists of tokens take.
type TokenFilters struct {
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

// Filter returns the filter that the parameters ask for.
func (in TokenFilters) Filter() people.TokenFilter {
	f := people.TokenFilter{
		Search: in.Search, Revoked: in.Revoked,
		CreatedAfter: in.CreatedAfter, CreatedBefore: in.CreatedBefore,
		LastUsedAfter: in.LastUsedAfter, LastUsedBefore: in.LastUsedBefore,
		ExpiresAfter: db.DateOf(in.ExpiresAfter), ExpiresBefore: db.DateOf(in.ExpiresBefore),
	}
	if in.State != "" {
		active := in.State == "active"
		f.Active = &active
	}
	return f
}

// Page returns the page and the order that the parameters ask for.
func (in TokenFilters) Page() db.Page {
	i := strings.LastIndexByte(in.Sort, '_')
	return db.Page{Limit: in.Limit(), Offset: in.Offset(), Order: in.Sort[:i], Desc: in.Sort[i:] == "_desc"}
}

// list lists the caller's tokens; for administrators those of all users, or of user_id.
func (tokens) list(ctx context.Context, s scope.Signed, in tokenList) (rest.List[TokenView], error) {
	if own := s.Caller.ID(); !s.Caller.Admin() {
		if in.UserID != nil && *in.UserID != own {
			return rest.List[TokenView]{}, fault.Unauthorized()
		}
		in.UserID = &own
	}
	f := in.Filter()
	f.UserID = in.UserID
	return rest.Pages(TokenViewOf)(people.Tokens(ctx, s.Store, f, in.Page()))
}

// self reads the token again, because what auth remembers may be seconds old.
func (tokens) self(ctx context.Context, s scope.Signed, _ rest.None) (TokenView, error) {
	return rest.Show(TokenViewOf)(people.FindToken(ctx, s.Store, s.Caller.Token.ID))
}

// find returns a token that belongs to the caller, or any token for administrators. Callers cannot
// tell a missing token from somebody else's, or from one with which administrators act as them.
func (tokens) find(ctx context.Context, s scope.Signed, id int64) (people.Token, error) {
	t, err := people.FindToken(ctx, s.Store, id)
	foreign := err == nil && (t.UserID != s.Caller.ID() || t.Impersonation)
	if !s.Caller.Admin() && (foreign || fault.CodeOf(err) == fault.CodeNotFound) {
		return t, fault.Unauthorized()
	}
	return t, err
}

func (a tokens) show(ctx context.Context, s scope.Signed, in rest.ByID) (TokenView, error) {
	return rest.Show(TokenViewOf)(a.find(ctx, s, in.ID))
}

type tokenNew struct {
	Name        string   `param:"name,required,notempty"`
	Description *string  `param:"description"`
	Scopes      []string `param:"scopes,required,comma"`
	TokenExpiry
}

// TokenExpiry is the parameter for the day on which a token expires.
type TokenExpiry struct {
	ExpiresAt time.Time `param:"expires_at,date"`
}

func (in tokenNew) token() people.Token {
	return people.Token{
		Name: in.Name, Description: in.Description, Scopes: in.Scopes, ExpiresAt: db.DateOf(in.ExpiresAt),
	}
}

type tokenNewFor struct {
	UserID int64 `param:"user_id"`
	tokenNew
}

func (tokens) createFor(ctx context.Context, s scope.Admin, in tokenNewFor) (TokenView, error) {
	u, err := tree.FindUser(ctx, s.Store, in.UserID)
	if err != nil {
		return TokenView{}, err
	}
	return rest.Show(IssuedTokenViewOf)(people.CreateToken(ctx, s.Store, u, in.token()))
}

// createOwn creates a token with scopes that grant nothing else. Only administrators create others.
func (tokens) createOwn(ctx context.Context, s scope.Signed, in tokenNew) (TokenView, error) {
	for _, scope := range in.Scopes {
		if scope != "k8s_proxy" && scope != "self_rotate" {
			return TokenView{}, fault.Param("scopes does not have a valid value")
		}
	}
	if in.ExpiresAt.IsZero() {
		in.ExpiresAt = db.Today().Add(1).Time
	}
	return rest.Show(IssuedTokenViewOf)(people.CreateToken(ctx, s.Store, s.Caller.User, in.token()))
}

type tokenRotate struct {
	rest.ByID
	TokenExpiry
}

func (a tokens) rotate(ctx context.Context, s scope.Signed, in tokenRotate) (TokenView, error) {
	t, err := a.find(ctx, s, in.ID)
	if err != nil {
		return TokenView{}, err
	}
	return rotatePersonal(ctx, s, t, in.TokenExpiry)
}

func (tokens) rotateOwn(ctx context.Context, s scope.Signed, in TokenExpiry) (TokenView, error) {
	return rotatePersonal(ctx, s, s.Caller.Token, in)
}

// rotatePersonal rotates a person's token. Those of groups and projects have their own routes,
// which check levels.
func rotatePersonal(ctx context.Context, s scope.Signed, t people.Token, until TokenExpiry) (TokenView, error) {
	if t.AccessLevel != nil {
		return TokenView{}, WrongTokenKind()
	}
	return rest.Show(IssuedTokenViewOf)(people.RotateToken(ctx, s.Store, t, db.DateOf(until.ExpiresAt)))
}

func (a tokens) revoke(ctx context.Context, s scope.Signed, in rest.ByID) (rest.None, error) {
	t, err := a.find(ctx, s, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, people.RevokeToken(ctx, s.Store, t)
}

func (a tokens) revokeOwn(ctx context.Context, s scope.Signed, _ rest.None) (rest.None, error) {
	return rest.None{}, people.RevokeToken(ctx, s.Store, s.Caller.Token)
}

// WrongTokenKind returns the refusal of a token of another kind than the route rotates.
func WrongTokenKind() error { return fault.NotAllowed("405 Method Not Allowed") }

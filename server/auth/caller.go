package auth

import (
	"context"
	"slices"

	"hew/server/fault"
	"hew/server/people"
	"hew/server/tree"
)

// Caller is who a request comes from. The zero value is Nobody.
type Caller struct {
	User      tree.User
	Token     people.Token
	By        int64 // the administrator who acts as User; 0: the user is here in person
	adminMode bool  // the instance asks for the admin_mode scope
}

// Nobody is the caller without credentials.
var Nobody = Caller{}

type callerKey struct{}

// With puts the caller into the context.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// From is the caller of a context, Nobody if none was put there.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// ID is the user's id, 0 for Nobody.
func (c Caller) ID() int64 { return c.User.ID }

// Signed says whether there is a user.
func (c Caller) Signed() bool { return c.User.ID != 0 }

// Admin says whether the caller has the powers of an administrator: he is one, and if the instance has admin mode on,
// his token carries the scope for it.
func (c Caller) Admin() bool {
	return c.User.Admin && (!c.adminMode || slices.Contains(c.Token.Scopes, "admin_mode"))
}

// Allows says whether the token has one of the scopes.
func (c Caller) Allows(scopes ...string) bool {
	return slices.ContainsFunc(scopes, func(s string) bool { return slices.Contains(c.Token.Scopes, s) })
}

// Need checks the scopes of the token for a request: api is enough for everything, and each of the others where a request
// takes it. Nobody has no scope to lack. Otherwise the fault names what would do.
func (c Caller) Need(others ...string) error {
	enough := append([]string{"api"}, others...)
	if c.Signed() && !c.Allows(enough...) {
		return fault.InsufficientScope(enough...)
	}
	return nil
}

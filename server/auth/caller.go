package auth

import (
	"context"
	"slices"

	"hew/server/fault"
	"hew/server/people"
	"hew/server/tree"
)

// Caller is the user that a request comes from. The zero value is Nobody.
type Caller struct {
	User      tree.User
	Token     people.Token
	By        int64 // id of the administrator who acts as User; 0 without sudo
	adminMode bool  // the instance requires the admin_mode scope of administrators
}

// Nobody is the caller of a request without a token.
var Nobody = Caller{}

type callerKey struct{}

// With returns a context with the caller.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// From returns the caller of a context, or Nobody.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// ID returns the id of the user, 0 for Nobody.
func (c Caller) ID() int64 { return c.User.ID }

// Signed reports whether the caller is a user, and not Nobody.
func (c Caller) Signed() bool { return c.User.ID != 0 }

// Admin reports whether the caller can act as an administrator: the user is one and, if the
// instance has admin mode on, the token has its scope.
func (c Caller) Admin() bool {
	return c.User.Admin && (!c.adminMode || slices.Contains(c.Token.Scopes, "admin_mode"))
}

// Allows reports whether the token has one of the scopes.
func (c Caller) Allows(scopes ...string) bool {
	return slices.ContainsFunc(scopes, func(s string) bool { return slices.Contains(c.Token.Scopes, s) })
}

// Need returns a fault that names the accepted scopes unless the token has api or one of the
// others. It accepts Nobody.
func (c Caller) Need(others ...string) error {
	enough := append([]string{"api"}, others...)
	if c.Signed() && !c.Allows(enough...) {
		return fault.InsufficientScope(enough...)
	}
	return nil
}

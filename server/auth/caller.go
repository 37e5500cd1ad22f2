package auth

import (
	"context"
	"slices"

	"hew/schema/catalogue"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/tree"
)

// Caller is who a request comes from: a user, or the holder of a deploy token. The zero value is
// Nobody.
type Caller struct {
	User        tree.User
	Token       people.Token
	DeployToken *people.DeployToken // nil for a user; with it, User and Token are zero
	JobToken    *people.JobToken    // nil unless a job calls, for User
	dead        bool                // it came with the token of a job that does not run
	By          int64               // id of the administrator who acts as User; 0 without sudo
	adminMode   bool                // the instance requires the admin_mode scope of administrators
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

// ID returns the id of the user, 0 for Nobody and for a deploy token.
func (c Caller) ID() int64 { return c.User.ID }

// Signed reports whether the caller is a user, and neither Nobody nor a deploy token.
func (c Caller) Signed() bool { return c.User.ID != 0 }

// Known reports whether the request has a valid token: that of a user, or a deploy token.
func (c Caller) Known() bool { return c.Signed() || c.DeployToken != nil }

// Admin reports whether the caller can act as an administrator: the user is one and, if the
// instance has admin mode on, the token has its scope. Jobs never can.
func (c Caller) Admin() bool {
	return c.User.Admin && c.JobToken == nil && (!c.adminMode || slices.Contains(c.Token.Scopes, "admin_mode"))
}

// Allows reports whether the token, or the deploy token, has one of the scopes.
func (c Caller) Allows(scopes ...string) bool {
	has := c.Token.Scopes
	if c.DeployToken != nil {
		has = c.DeployToken.Scopes
	}
	return slices.ContainsFunc(scopes, func(s string) bool { return slices.Contains(has, s) })
}

func isDeployScope(scope string) bool { return slices.Contains(catalogue.DeployScopes, scope) }

// Need returns a fault that names the accepted scopes unless the token has api or one of the
// others. It accepts Nobody. Tokens of jobs and deploy tokens are unknown where they are not
// accepted.
func (c Caller) Need(others ...string) error {
	switch {
	case c.dead, c.JobToken != nil && !c.Allows(others...),
		c.DeployToken != nil && !slices.ContainsFunc(others, isDeployScope):
		return fault.Unauthorized()
	}
	enough := append([]string{"api"}, others...)
	if c.Known() && !c.Allows(enough...) {
		return fault.InsufficientScope(enough...)
	}
	return nil
}

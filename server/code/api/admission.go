package api

import (
	"fmt"
	"strings"

	"hew/server/fault"
	"hew/server/policy"
)

// admission is what decides whether a client is served.
type admission struct {
	what, path      string // of the owner of the repository: Project, acme/site
	seen            bool   // the caller sees the owner
	archived        bool
	can             func(policy.Ability) bool
	fetch, push     policy.Ability
	noFetch, noPush string // for those without the ability
}

// admit returns why the caller may not do what the client asks for.
func (c client) admit(a admission) error {
	if c.Service != uploadPack && c.Service != receivePack {
		return fault.Forbidden("This server speaks git's smart protocol only. Use a newer git.")
	}
	need, scopes, refusal := a.fetch, []string{"read_repository", "write_repository"}, a.noFetch
	if c.Service == receivePack {
		need, scopes, refusal = a.push, scopes[1:], a.noPush
	}
	switch {
	case !c.Caller.Known() && (c.Service == receivePack || !a.can(need)):
		return fault.Unauthorized()
	case !a.seen:
		return fault.NotFound(a.what)
	case c.Caller.DeployToken != nil && c.Service == receivePack:
		return fault.Forbidden("A deploy token cannot push. Use an access token with the scope write_repository.")
	case c.Caller.DeployToken != nil && !c.Caller.Allows("read_repository"):
		return fault.Forbidden("The deploy token does not have the scope read_repository.")
	case c.Caller.Need(scopes...) != nil:
		return fault.Forbidden(fmt.Sprintf("The token has none of the scopes api, %s.", strings.Join(scopes, ", ")))
	case a.archived && c.Service == receivePack:
		return fault.Forbidden("You cannot push to " + a.path + ": the project is archived.")
	case !a.can(need):
		return fault.Forbidden(refusal)
	}
	return nil
}

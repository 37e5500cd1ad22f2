package api

import (
	"context"
	"net/http"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
)

// clientGuard returns a guard of the repository that find finds at the path of the request. If the
// client pushes, the check is repeated under the first lock: the upload before it can take hours.
func clientGuard(
	serviceOf func(*http.Request) string, find func(c client, ctx context.Context, path string) (client, error),
) rest.Guard[client] {
	return rest.Guard[client]{Need: "git", Open: func(ctx context.Context, r *http.Request) (client, error) {
		path := r.PathValue("repository")
		c, err := find(newClient(ctx, r, serviceOf(r)), ctx, path)
		if err == nil && c.Service == receivePack {
			c.Store.OnLock(func(ctx context.Context, tx *db.Store) error {
				now := client{Service: c.Service, Version: c.Version}
				now.Store, now.Caller = tx, c.Caller
				now, err := find(now, ctx, path)
				if err == nil && now.By.Who != c.By.Who { // the rules of the push read c.By
					err = fault.Forbidden("Your access to " + c.Path + " changed during the push. Push again.")
				}
				return asRefused(err)
			})
		}
		return c, err
	}}
}

// asRefused returns a fault as the refusal of a push, whose text git shows.
func asRefused(err error) error {
	f, ok := fault.From(err)
	switch {
	case !ok || f.Code == fault.CodeInternal || f.Code == fault.CodeUnavailable:
		return err
	case f.Code == fault.CodeForbidden:
		return code.Refused{Text: f.What}
	case f.Code == fault.CodeNotFound:
		return code.Refused{Text: f.What}
	}
	return code.Refused{Text: "You may no longer push here: " + f.Error()}
}

// admission is what decides whether a client is served.
type admission struct {
	what, path      string // of the owner of the repository: Project, acme/site
	seen            bool   // the caller sees the owner
	archived        bool
	pending         bool // it, or something above it, is marked for deletion
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
	scopeText := "api, read_repository or write_repository"
	if c.Service == receivePack {
		need, scopes, refusal = a.push, scopes[1:], a.noPush
		scopeText = "api or write_repository"
	}
	switch {
	case !c.Caller.Known() && (c.Service == receivePack || !a.can(need)):
		return fault.Unauthorized()
	case !a.seen:
		return missing(a.what)
	case c.Caller.DeployToken != nil && c.Service == receivePack:
		return fault.Forbidden("A deploy token cannot push. Use an access token with the scope write_repository.")
	case c.Caller.DeployToken != nil && !c.Caller.Allows("read_repository"):
		return fault.Forbidden("The deploy token does not have the scope read_repository.")
	case c.Caller.Need(scopes...) != nil:
		return fault.Forbidden("The token needs the scope " + scopeText + ".")
	case a.archived && c.Service == receivePack:
		return fault.Forbidden("You cannot push to " + a.path + ": the project is archived.")
	case a.pending && c.Service == receivePack:
		return fault.Forbidden("You cannot push to " + a.path + ": it is marked for deletion. Restore it first.")
	case !a.can(need):
		return fault.Forbidden(refusal)
	}
	return nil
}

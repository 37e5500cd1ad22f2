package api

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/secret"
	"hew/server/view"
)

// runnerScope is the scope of a route of one runner.
type runnerScope struct {
	scope.Anyone
	Runner ci.FoundRunner
}

// Can reports whether the caller has the right on the runner.
func (s runnerScope) Can(right runnerRight) bool {
	return policy.Can(scope.Who(s.Caller, s.Runner.Level), right[s.Runner.Type], policy.On{})
}

// runnerRight is the ability that a right takes, by the type of the runner.
type runnerRight map[string]policy.Ability

var (
	readRunner = runnerRight{
		ci.InstanceRunner: readInstanceRunner, ci.GroupRunner: readGroupRunner, ci.ProjectRunner: adminRunner,
	}
	changeRunner = runnerRight{
		ci.InstanceRunner: policy.AdminInstance, ci.GroupRunner: adminGroupRunner, ci.ProjectRunner: adminRunner,
	}
)

// forRunner finds the runner of the path and admits callers who have the right on it (gaps §10.5).
func forRunner(a *view.Site, need string, right runnerRight, scopes ...string) rest.Guard[runnerScope] {
	signed := scope.ForSigned(scopes...)
	return rest.Guard[runnerScope]{Need: need, Open: func(ctx context.Context, r *http.Request) (runnerScope, error) {
		user, err := signed.Open(ctx, r)
		if err != nil {
			return runnerScope{}, err
		}
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return runnerScope{}, fault.Param("id is invalid")
		}
		s := runnerScope{Anyone: user.Anyone}
		if s.Runner, err = ci.RunnerFor(ctx, user.Store, id, user.Caller.ID()); err == nil && !s.Can(right) {
			err = noAccess()
		}
		return s, err
	}}
}

func noAccess() error { return fault.Forbidden("No access granted") }

// selfScope is the scope of a route that a runner calls itself, with its authentication token.
type selfScope struct {
	Store   *db.Store
	Runner  ci.Runner
	Token   string
	Address string
}

// self admits the runner whose authentication token is in the parameter token, or in a header.
func (runnerSelf) self() rest.Guard[selfScope] {
	return rest.Guard[selfScope]{Need: "runner_token",
		Open: func(ctx context.Context, r *http.Request) (selfScope, error) {
			s := selfScope{Store: db.From(ctx), Token: rest.Param(r, "token"), Address: auth.Address(r)}
			if s.Token == "" {
				s.Token = r.Header.Get("RUNNER-TOKEN")
			}
			if s.Token == "" {
				return s, fault.Param("token is missing")
			}
			var err error
			digest := secret.Digest(s.Token)
			if s.Runner, err = ci.RunnerByDigest(ctx, s.Store, digest[:]); fault.CodeOf(err) == fault.CodeNotFound {
				err = fault.Forbidden("")
			}
			return s, err
		}}
}

// registrationScope is the scope of the route by which runners register; ci.RegisterRunner checks
// the token.
type registrationScope struct {
	Store *db.Store
	Token string
}

func (runnerSelf) registering() rest.Guard[registrationScope] {
	return rest.Guard[registrationScope]{Need: "registration_token",
		Open: func(ctx context.Context, r *http.Request) (registrationScope, error) {
			s := registrationScope{Store: db.From(ctx), Token: rest.Param(r, "token")}
			if s.Token == "" {
				return s, fault.Param("token is missing")
			}
			return s, nil
		}}
}

package server

import (
	"context"
	"maps"

	"hew/server/auth"
	ciapi "hew/server/ci/api"
	"hew/server/db"
	groupapi "hew/server/group/api"
	hookapi "hew/server/hook/api"
	instanceapi "hew/server/instance/api"
	integrationapi "hew/server/integration/api"
	"hew/server/part"
	peopleapi "hew/server/people/api"
	"hew/server/policy"
	projectapi "hew/server/project/api"
	protectapi "hew/server/protect/api"
	transferapi "hew/server/transfer/api"
	workapi "hew/server/work/api"
)

// Parts are all domains. Where two listen to the same event, the one that comes first here is called first.
func Parts(host part.Host) []part.Part {
	return []part.Part{
		instanceapi.Part(host),
		peopleapi.Part(host),
		groupapi.Part(host),
		projectapi.Part(host),
		protectapi.Part(host),
		workapi.Part(host),
		integrationapi.Part(host),
		ciapi.Part(host),
		transferapi.Part(host),
		hookapi.Part(host),
	}
}

// Sum is the parts added up. It panics if two add the same constraint, which is a programming error; that no two add the
// same route, ability or job is found where these are put to use.
func Sum(parts []part.Part) part.Part {
	sum := part.Part{Abilities: policy.Abilities, Refusals: db.Refusals{}}
	for _, p := range parts {
		sum.Routes = append(sum.Routes, p.Routes...)
		sum.Endpoints = append(sum.Endpoints, p.Endpoints...)
		sum.Abilities = append(sum.Abilities, p.Abilities...)
		sum.Listeners = append(sum.Listeners, p.Listeners...)
		sum.Jobs = append(sum.Jobs, p.Jobs...)
		for name := range p.Refusals {
			if _, twice := sum.Refusals[name]; twice {
				panic("two parts have words for the constraint " + name)
			}
		}
		maps.Copy(sum.Refusals, p.Refusals)
	}
	return sum
}

// Begin opens the unit of a request over the pool st: reads use the pool, everything else one transaction.
func Begin(st *db.Store) func(context.Context, bool) (context.Context, func(error) error, error) {
	return func(ctx context.Context, write bool) (context.Context, func(error) error, error) {
		if !write {
			return db.With(ctx, st), func(err error) error { return err }, nil
		}
		tx, finish, err := st.Begin(ctx)
		return db.With(ctx, tx), finish, err
	}
}

// UserID is who called, for the log.
func UserID(ctx context.Context) int64 { return auth.From(ctx).ID() }

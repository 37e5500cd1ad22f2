package server

import (
	"context"
	"maps"

	activityapi "hew/server/activity/api"
	analyticsapi "hew/server/analytics/api"
	"hew/server/auth"
	"hew/server/blob"
	ciapi "hew/server/ci/api"
	codeapi "hew/server/code/api"
	"hew/server/db"
	errortrackingapi "hew/server/errortracking/api"
	forgeapi "hew/server/forge/api"
	gistapi "hew/server/gist/api"
	groupapi "hew/server/group/api"
	hookapi "hew/server/hook/api"
	instanceapi "hew/server/instance/api"
	integrationapi "hew/server/integration/api"
	mailapi "hew/server/mail/api"
	mergeapi "hew/server/merge/api"
	mirrorapi "hew/server/mirror/api"
	"hew/server/note"
	packagesapi "hew/server/packages/api"
	"hew/server/part"
	peopleapi "hew/server/people/api"
	"hew/server/policy"
	projectapi "hew/server/project/api"
	protectapi "hew/server/protect/api"
	releaseapi "hew/server/release/api"
	snippetapi "hew/server/snippet/api"
	todoapi "hew/server/todo/api"
	transferapi "hew/server/transfer/api"
	uploadapi "hew/server/upload/api"
	wikiapi "hew/server/wiki/api"
	workapi "hew/server/work/api"
)

// Parts are all domains, after what mechanisms add. Where two listen to the same event, the one
// that comes first here is called first.
func Parts(host part.Host) []part.Part {
	return []part.Part{
		{Name: "blob", Refusals: blob.Refusals, Jobs: blob.Jobs},
		mailapi.Part(host),
		instanceapi.Part(host),
		peopleapi.Part(host),
		groupapi.Part(host),
		projectapi.Part(host),
		protectapi.Part(host),
		{Name: "note", Refusals: note.Refusals},
		workapi.Part(host),
		integrationapi.Part(host),
		codeapi.Part(host),
		mergeapi.Part(host),
		releaseapi.Part(host),
		forgeapi.Part(host),
		packagesapi.Part(host),
		uploadapi.Part(host),
		wikiapi.Part(host),
		snippetapi.Part(host),
		gistapi.Part(host),
		todoapi.Part(host),
		activityapi.Part(host),
		ciapi.Part(host),
		mirrorapi.Part(host),
		transferapi.Part(host),
		analyticsapi.Part(host),
		errortrackingapi.Part(host),
		hookapi.Part(host),
	}
}

// Sum is the parts added up. It panics if two add the same constraint, which is a programming
// error; that no two add the same route, ability or job is found where these are put to use.
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

// Lend returns what puts a store of the pool h into the context of a request, for rest.Config.
func Lend(h *db.Store) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context { return db.With(ctx, h.Lend()) }
}

// Begin opens the transaction of a request with the store that it was lent, for rest.Config.
func Begin(ctx context.Context) (finish func(error) error, err error) { return db.From(ctx).Enter(ctx) }

// UserID is who called, for the log.
func UserID(ctx context.Context) int64 { return auth.From(ctx).ID() }

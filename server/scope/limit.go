package scope

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/setting"
)

// Limited returns a guard that admits those of another guard, and each user, or each address that
// does not sign in, no more often than the limit says. It counts requests that fail later, too.
func Limited[S any](limit setting.RateLimit, g rest.Guard[S]) rest.Guard[S] {
	return limitedPer(limit, g, func(S) string { return "" })
}

// LimitedInProject returns a guard like that of Limited which counts for each project apart.
func LimitedInProject(limit setting.RateLimit, g rest.Guard[InProject]) rest.Guard[InProject] {
	return limitedPer(limit, g, func(s InProject) string { return fmt.Sprintf("project %d: ", s.Project.ID) })
}

func limitedPer[S any](limit setting.RateLimit, g rest.Guard[S], of func(S) string) rest.Guard[S] {
	return rest.Guard[S]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (S, error) {
		s, err := g.Open(ctx, r)
		if err == nil {
			holder := auth.Address(r)
			if caller := auth.From(ctx); caller.Signed() {
				holder = strconv.FormatInt(caller.ID(), 10)
			}
			err = count(ctx, limit, of(s)+holder)
		}
		return s, err
	}}
}

// SearchLimited returns a guard that admits those of another guard, and lets each user, or each
// address that does not sign in, search no more often than the settings say.
func SearchLimited[S any](g rest.Guard[S]) rest.Guard[S] {
	return rest.Guard[S]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (S, error) {
		s, err := g.Open(ctx, r)
		if err != nil || r.URL.Query().Get("search") == "" {
			return s, err
		}
		if caller := auth.From(ctx); caller.Signed() {
			return s, count(ctx, setting.Searches, strconv.FormatInt(caller.ID(), 10))
		}
		return s, count(ctx, setting.AnonymousSearches, auth.Address(r))
	}}
}

// count counts a request and refuses it beyond the limit.
func count(ctx context.Context, limit setting.RateLimit, holder string) error {
	ok, err := limit.Count(ctx, db.From(ctx), holder)
	if err == nil && !ok {
		err = fault.TooMany("")
	}
	return err
}

package scope

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hew/schema/pattern"
	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// Throttle counts a request where settings limit the requests of its kind. It returns the header
// that tells the client of the limit, and a fault beyond it; otherwise denied, the error that the
// caller was not admitted for. Such requests are counted by address, so that nobody can guess
// tokens without limit.
func Throttle(st *db.Store) func(ctx context.Context, r *http.Request, denied error) (http.Header, error) {
	return func(ctx context.Context, r *http.Request, denied error) (http.Header, error) {
		settings, err := setting.Read(ctx, st)
		if err != nil || !settings.Any() {
			return nil, cmp.Or(denied, err)
		}
		kind, ok := trafficOf(r)
		if !ok {
			return nil, denied
		}
		holder, signed := holderOf(ctx, r, denied)
		limit, ok := settings.Throttle(kind, signed)
		if !ok {
			return nil, denied
		}
		count, err := limit.Count(ctx, st, holder)
		switch {
		case err != nil:
			return nil, errors.Join(denied, err)
		case !count.Within():
			denied = fault.TooMany(cmp.Or(settings.LimitText, "Retry later")).In(fault.Raw)
		}
		return throttleHeader(count), denied
	}
}

// throttleHeader tells a client of a limit (gaps §1.6).
func throttleHeader(c setting.ThrottleCount) http.Header {
	reset := time.Now().Add(c.Left)
	h := http.Header{}
	h.Set("RateLimit-Name", c.Name)
	h.Set("RateLimit-Limit", ceiling(float64(c.Most)/c.Period.Minutes())) // a minute
	h.Set("RateLimit-Observed", strconv.Itoa(c.Observed))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(c.Most-c.Observed, 0)))
	h.Set("RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
	if !c.Within() {
		h.Set("RateLimit-ResetTime", reset.UTC().Format(http.TimeFormat))
		h.Set("Retry-After", ceiling(c.Left.Seconds()))
	}
	return h
}

func ceiling(f float64) string { return strconv.Itoa(int(math.Ceil(f))) }

// holderOf returns whose request it is: that of a user, of a deploy token, or of an address.
func holderOf(ctx context.Context, r *http.Request, denied error) (holder string, signed bool) {
	c := auth.From(ctx)
	switch {
	case denied != nil, !c.Known():
		return auth.Address(r), false
	case c.DeployToken != nil:
		return "deploy token " + strconv.FormatInt(c.DeployToken.ID, 10), true
	}
	return strconv.FormatInt(cmp.Or(c.By, c.ID()), 10), true
}

var (
	packagePath = pattern.Lazy(`^/api/v4/(projects/[^/]+/|groups/[^/]+/(-/)?)?packages(/|$)`)
	filePath    = pattern.Lazy(`^/api/v4/projects/[^/]+/repository/(files|archive)`)
	lfsPath     = pattern.Lazy(`^/api/v4/git[^/]*/[^/]+/(info/lfs|gitlab-lfs)/`)
)

// trafficOf returns the kind of a request; ok is false if no setting throttles it. What runners ask
// for their jobs is never throttled, because they share addresses.
func trafficOf(r *http.Request) (kind setting.Traffic, ok bool) {
	path := plainSegments(r.URL.EscapedPath())
	for _, k := range []struct {
		kind setting.Traffic
		form func() *regexp.Regexp
	}{{setting.LFSTraffic, lfsPath}, {setting.PackageTraffic, packagePath}, {setting.FileTraffic, filePath}} {
		if k.form().MatchString(path) {
			return k.kind, true
		}
	}
	return setting.APITraffic, strings.HasPrefix(path, "/api/v4/") && !strings.HasPrefix(path, "/api/v4/jobs/") &&
		!strings.HasPrefix(path, "/api/v4/git")
}

// plainSegments returns a path whose segments are written without escapes, apart from slashes in
// them: %61pi is api for the routes, too.
func plainSegments(escaped string) string {
	segments := strings.Split(escaped, "/")
	for i, s := range segments {
		if plain, err := url.PathUnescape(s); err == nil {
			segments[i] = strings.ReplaceAll(plain, "/", "%2F")
		}
	}
	return strings.Join(segments, "/")
}

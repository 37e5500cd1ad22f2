package setting

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// RateLimit limits how often somebody may do something (gaps §1.6).
type RateLimit struct {
	Name   string // of the setting
	Most   func(Settings) int
	Period time.Duration
}

// The limits of requests. A limit of 0 admits any number.
var (
	IssuesCreated = RateLimit{"issues_create_limit", func(s Settings) int { return s.IssuesCreated }, time.Minute}
	NotesCreated  = RateLimit{"notes_create_limit", func(s Settings) int { return s.NotesCreated }, time.Minute}
	JobsListed    = RateLimit{"project_jobs_api_rate_limit", func(s Settings) int { return s.JobsListed }, time.Minute}
	Searches      = RateLimit{"search_rate_limit", func(s Settings) int { return s.Searches }, time.Minute}

	ImportsStarted    = RateLimit{"project_import_limit", func(s Settings) int { return s.ImportsStarted }, time.Minute}
	ExportsStarted    = RateLimit{"project_export_limit", func(s Settings) int { return s.ExportsStarted }, time.Minute}
	ExportsDownloaded = RateLimit{
		"project_download_export_limit", func(s Settings) int { return s.ExportsDownloaded }, time.Minute,
	}

	// of one commit of a project by one user
	PipelinesCreated = RateLimit{
		"pipeline_limit_per_project_user_sha", func(s Settings) int { return s.PipelinesCreated }, time.Minute,
	}
	AnonymousSearches = RateLimit{
		"search_rate_limit_unauthenticated", func(s Settings) int { return s.AnonymousSearches }, time.Minute,
	}
)

// Count counts a request of a user or address and reports whether it is within the limit. A period
// begins with the first request after the last period ended. Outside of a transaction the count
// stays, whatever becomes of the request.
func (l RateLimit) Count(ctx context.Context, st *db.Store, holder string) (bool, error) {
	settings, err := Read(ctx, st)
	if err != nil {
		return false, err
	}
	most := l.Most(settings)
	if most == 0 {
		return true, nil
	}
	n, _, err := countRequest(ctx, st, l.Name, holder, l.Period)
	return n <= most, err
}

// countRequest counts a request, and returns how many there are in this period and how much of it
// is left.
func countRequest(ctx context.Context, st *db.Store, name, holder string, period time.Duration) (
	n int, left time.Duration, err error,
) {
	type count struct {
		Requests int
		Passed   float64 // seconds
	}
	c, err := db.One[count](ctx, st, "rate limit", `
		insert into rate_limits as t (name, holder, since, requests) values (@name, @holder, now(), 1)
		on conflict (name, holder) do update
		set (since, requests) = (
		    select case when over then now() else t.since end, case when over then 1 else t.requests + 1 end
		    from (select t.since <= now() - make_interval(secs => @seconds)) period (over))
		returning requests, extract(epoch from now() - since)::float8 as passed`,
		pgx.NamedArgs{"name": name, "holder": holder, "seconds": period.Seconds()})
	return c.Requests, period - time.Duration(c.Passed*float64(time.Second)), err
}

// RemoveIdleCounts deletes the counts of requests that are too old to matter.
func RemoveIdleCounts(ctx context.Context, st *db.Store) error {
	return st.Exec(ctx, `delete from rate_limits where since < now() - interval '1 hour'`, nil)
}

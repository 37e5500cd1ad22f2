package mirror

import (
	"context"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/tree"
)

// PullMirror is a repository elsewhere that a project follows.
type PullMirror struct {
	ID           int64  `db:"id,auto" json:"id"`
	ProjectID    int64  `db:"project_id" json:"-"`
	URL          string `db:"url" json:"url"` // as it is shown
	SealedURL    []byte `db:"sealed_url" json:"-"`
	UpdateStatus string `db:"update_status,auto" json:"update_status"`

	SSH
	LFSDue bool `db:"lfs_due,auto" json:"-"` // large files of all commits are to be looked for

	LastError              *string    `db:"last_error,auto" json:"last_error"`
	LastUpdateAt           *time.Time `db:"last_update_at,auto" json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `db:"last_update_started_at,auto" json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `db:"last_successful_update_at,auto" json:"last_successful_update_at"`
	Schedule
	CreatedAt time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
}

const pullURL = "pull_mirrors.sealed_url"

// FindPullMirror returns what a project follows, or a fault if it follows nothing.
func FindPullMirror(ctx context.Context, st *db.Store, project int64) (PullMirror, error) {
	m, err := db.One[PullMirror](ctx, st, "Mirror", `select * from pull_mirrors where project_id = @id`, idArg(project))
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.BadRequest("The project is not mirrored").In(fault.Text)
	}
	return m, err
}

// Follow has a project follow the repository at a URL, from the beginning, or nothing if it
// is empty. A run that reads another one ends. A pair of keys that it has made stays, because other
// hosts may know it; host keys are those of the new address.
func Follow(ctx context.Context, st *db.Store, project int64, url string) error {
	if url == "" {
		return st.Exec(ctx, `delete from pull_mirrors where project_id = @id`, idArg(project))
	}
	m, err := db.One[PullMirror](ctx, st, "Mirror",
		`select * from pull_mirrors where project_id = @id for update`, idArg(project))
	if fault.CodeOf(err) == fault.CodeNotFound {
		m.ID, err = st.NextID(ctx, "pull_mirrors")
	}
	if err != nil {
		return err
	}
	m.URL, m.SealedURL = outbound.MaskCredentials(url), nil
	if m.URL != url {
		m.SealedURL = st.Seal.Seal(pullURL, m.ID, []byte(url))
	}
	if usesKey(url) {
		if err := m.makeKeys(st, pulls, m.ID); err != nil {
			return err
		}
	}
	list, err := db.Many[due](ctx, st, `
		insert into pull_mirrors (id, project_id, url, sealed_url, public_key, sealed_key, due_at)
		values (@id, @project, @url, @sealed, @public, @key, now())
		on conflict (project_id) do update
		set url = excluded.url, sealed_url = excluded.sealed_url, public_key = excluded.public_key,
		    sealed_key = excluded.sealed_key, host_keys = '{}', lfs_due = true, due_at = now(), tries = 0,
		    last_error = null, failure_told = false, updated_at = now(), runs = pull_mirrors.runs + 1, alive_at = null
		returning id, runs`, namedArgs{
		"id": m.ID, "project": project, "url": m.URL, "sealed": m.SealedURL, "public": m.PublicKey, "key": m.SealedKey,
	})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, pullJobs(list)...)
}

// address returns the URL with its credentials. It is for pulls only.
func (m PullMirror) address(st *db.Store) (string, error) {
	if m.SealedURL == nil {
		return m.URL, nil
	}
	url, err := st.Seal.Open(pullURL, m.ID, m.SealedURL)
	return string(url), err
}

// PullPublicKey returns the public key that the host must know that a project follows by SSH.
func PullPublicKey(ctx context.Context, st *db.Store, project int64) (string, error) {
	m, err := FindPullMirror(ctx, st, project)
	if err != nil {
		return "", err
	}
	return m.publicKey()
}

// SetPullHostKeys sets the keys that the host may have that a project follows by SSH. None of them
// stands for that which it shows next.
func SetPullHostKeys(ctx context.Context, st *db.Store, project int64, keys []string) (m PullMirror, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if m, err = FindPullMirror(ctx, st, project); err != nil {
			return err
		}
		m.HostKeys = keys
		var wrong check.Problems
		m.checkHostKeys(&wrong)
		if err := wrong.Err(); err != nil {
			return err
		}
		return st.Exec(ctx, `update pull_mirrors set host_keys = @keys, updated_at = now() where id = @id`,
			namedArgs{"id": m.ID, "keys": m.HostKeys})
	})
	return m, err
}

// How long after the start of a pull the next one starts: at an interval, sooner if somebody asks
// for it, later after failures.
const (
	pullEvery = 30 * time.Minute
	pullPause = 5 * time.Minute
)

// maxPullTries is how many pulls fail before the mirror waits for somebody to set it again.
const maxPullTries = 14

// PullNow makes the mirror of a project due: at once unless it has started within the last minutes.
// It returns a fault if the mirror has failed too often. Setting import_url has it start again.
func PullNow(ctx context.Context, st *db.Store, p tree.Project) error {
	m, err := FindPullMirror(ctx, st, p.ID)
	switch {
	case err != nil:
		return err
	case m.Tries >= maxPullTries:
		return fault.Forbidden("Mirroring for the project is on pause").In(fault.Text)
	}
	now := time.Now().Truncate(time.Millisecond) // as rows keep it
	ready, err := db.Many[due](ctx, st, `
		with soon as (
			update pull_mirrors set due_at = least(due_at, case
				when last_update_started_at > @now::timestamptz - @pause::interval
				then last_update_started_at + @pause::interval else @now::timestamptz end)
			where id = @id and (alive_at is null or alive_at < @dead) returning id, runs, due_at)
		select id, runs from soon where due_at <= @now`,
		namedArgs{"id": m.ID, "now": now, "pause": pullPause, "dead": now.Add(-aliveFor)})
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, pullJobs(ready)...)
}

// pullJob asks for a pull.
type pullJob struct{ run }

// Kind implements jobs.Args.
func (pullJob) Kind() string { return "pull_mirror" }

func pullJobs(list []due) []jobs.Args { return runsOf(list, func(r run) pullJob { return pullJob{r} }) }

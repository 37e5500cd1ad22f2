package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// RunnerManager is one of the processes that share a runner's token, each on a machine of its own.
type RunnerManager struct {
	ID       int64  `db:"id,auto" json:"id"`
	RunnerID int64  `db:"runner_id" json:"-"`
	SystemID string `db:"system_id" json:"system_id"`
	RunnerInfo
	CreatedAt   time.Time  `db:"created_at,auto" json:"created_at"`
	ContactedAt *time.Time `db:"contacted_at" json:"contacted_at"`
	IPAddress   *string    `db:"ip_address" json:"ip_address"`
	Status      string     `db:"status,auto" json:"status"`
}

// RunnerInfo is what a manager reports about itself; nil is unknown.
type RunnerInfo struct {
	Version      *string `db:"version" json:"version"`
	Revision     *string `db:"revision" json:"revision"`
	Platform     *string `db:"platform" json:"platform"`
	Architecture *string `db:"architecture" json:"architecture"`
}

// RecordContact stores that a manager made contact at its ContactedAt, if it has one, and what it
// reports about itself. It creates a manager that is new.
func RecordContact(ctx context.Context, s *db.Store, m RunnerManager) error {
	_, args := db.Columns(m)
	return s.Exec(ctx, `
		with seen as (
		    insert into runner_managers as t
		        (runner_id, system_id, version, revision, platform, architecture, contacted_at, ip_address)
		    values (@runner_id, @system_id, @version, @revision, @platform, @architecture, @contacted_at, @ip_address)
		    on conflict (runner_id, system_id) do update
		    set version = coalesce(excluded.version, t.version), revision = coalesce(excluded.revision, t.revision),
		        platform = coalesce(excluded.platform, t.platform),
		          architecture = coalesce(excluded.architecture, t.architecture),
		        contacted_at = coalesce(excluded.contacted_at, t.contacted_at),
		          ip_address = coalesce(excluded.ip_address, t.ip_address))
		update runners set (contacted_at, ip_address) = (@contacted_at, @ip_address)
		where id = @runner_id and @contacted_at::timestamptz is not null`, args)
}

// RunnerManagers returns all managers of a runner.
func RunnerManagers(ctx context.Context, s *db.Store, runnerID int64) ([]RunnerManager, error) {
	return db.Many[RunnerManager](ctx, s, `
		select t.*, `+runnerStatus+` as status from runner_managers t where t.runner_id = @runner order by t.id`,
		pgx.NamedArgs{"runner": runnerID})
}

// RemoveRunnerManager removes a manager of a runner and reports whether there was one.
func RemoveRunnerManager(ctx context.Context, s *db.Store, runnerID int64, systemID string) (bool, error) {
	n, err := s.Affected(ctx, `delete from runner_managers where runner_id = @runner and system_id = @system`,
		pgx.NamedArgs{"runner": runnerID, "system": systemID})
	return n > 0, err
}

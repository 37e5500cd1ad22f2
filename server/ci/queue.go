package ci

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// How many projects and pipelines of each a runner may choose from at once. The pipelines are those
// of its first jobs.
const (
	queueProjects = 20
	queueJobs     = 20
)

// isWaiting is the condition of a job j that waits for a runner. The index jobs_pending has them.
const isWaiting = `j.status = 'pending' and j.kind = 'build'`

// runsJobs is the condition that runners work for a project p of a namespace n at all.
const runsJobs = `not p.archived and p.marked_for_deletion_on is null and not ` + tree.PendingSpace + `
	and coalesce(p.settings ->> 'builds_access_level', 'enabled') <> 'disabled'`

// usesInstanceRunners is the condition that a project p of a namespace n uses the runners of the
// instance: it may switch them off, and so may groups above it for good.
const usesInstanceRunners = `coalesce((p.settings ->> 'shared_runners_enabled')::boolean, true) and not exists (
	select from namespaces a where a.id = any(n.traversal_ids)
		and a.settings ->> 'shared_runners_setting' = 'disabled_and_unoverridable')`

// usesGroupRunners is the condition that a project p uses the runners of its groups.
const usesGroupRunners = `coalesce((p.settings ->> 'group_runners_enabled')::boolean, true)`

// waitingProjects are the projects with jobs that wait, each found by one step in the index.
const waitingProjects = `
	(select j.project_id from jobs j where ` + isWaiting + ` order by j.project_id limit 1)
	union all
	select (select j.project_id from jobs j where ` + isWaiting + ` and j.project_id > w.project_id
		order by j.project_id limit 1)
	from waiting w where w.project_id is not null`

// busyIn is how many jobs runners of the instance run for a project. The runner of each is looked
// up: a join would read all runners of the instance.
func busyIn(project string) string {
	return `(select count(*) from jobs b where b.project_id = ` + project + `
		and b.status in ('running', 'canceling') and b.kind = 'build'
		and (select r.runner_type from runners r where r.id = b.runner_id) = 'instance_type')`
}

// queueOf says where the jobs of each type of runner are, and which project comes first.
var queueOf = map[string]struct{ from, where, busy string }{
	InstanceRunner: {waitingProjects, usesInstanceRunners, busyIn(`p.id`)},
	GroupRunner:    {waitingProjects, usesGroupRunners + ` and @namespace = any(n.traversal_ids)`, `0`},
	ProjectRunner:  {`select rp.project_id from runner_projects rp where rp.runner_id = @runner`, `true`, `0`},
}

// candidate is a pipeline with a job that a runner could take.
type candidate struct {
	PipelineID int64 `db:"pipeline_id"`
	Timeout    int   `db:"timeout"` // of its project, in seconds
}

// candidates returns the pipelines of jobs that a runner could take, best first: of projects for
// which the fewest runners of the instance work, and of these the oldest (gaps §10.4). It looks at
// so many jobs of each project.
func candidates(ctx context.Context, st *db.Store, r Runner, most int) ([]candidate, error) {
	sql, args := queueQuery(r, most)
	return db.Many[candidate](ctx, st, sql, args)
}

// queueQuery is the query of the pipelines with jobs that a runner could take.
func queueQuery(r Runner, most int) (sql string, args pgx.NamedArgs) {
	q := queueOf[r.Type]
	const fits = isWaiting + ` and j.project_id = p.id and (not @protected or j.protected)
		and case when cardinality(j.tags) = 0 then @untagged else j.tags <@ @tags::text[] end`
	return `
		with recursive waiting (project_id) as (` + q.from + `),
		best as (
			select p.id, coalesce((p.settings ->> 'build_timeout')::int, 3600) as timeout, ` + q.busy + ` as busy
			from waiting w join projects p on p.id = w.project_id join namespaces n on n.id = p.namespace_id
			cross join lateral (select j.id from jobs j where ` + fits + ` order by j.id limit 1) first
			where ` + runsJobs + ` and ` + q.where + `
			order by busy, first.id limit @projects)
		select j.pipeline_id, p.timeout from best p cross join lateral (
			select j.id, j.pipeline_id from jobs j where ` + fits + ` order by j.id limit @jobs) j
		group by j.pipeline_id, p.timeout, p.busy order by p.busy, min(j.id)`, pgx.NamedArgs{
			"runner": r.ID, "namespace": r.NamespaceID, "tags": r.Tags, "untagged": r.RunUntagged,
			"protected": r.AccessLevel == refProtected, "projects": queueProjects, "jobs": most,
		}
}

// refProtected is the access level of runners that only take jobs of protected refs.
const refProtected = "ref_protected"

// waitingJobs are jobs of a project that wait, with what decides who may take them.
type waitingJobs struct {
	Count      int      `db:"count"`
	Tags       []string `db:"tags"`
	Protected  bool     `db:"protected"`
	Instance   bool     `db:"instance"`   // runners of the instance may
	Namespaces []int64  `db:"namespaces"` // runners of these groups may
	Runners    []int64  `db:"runners"`    // runners of projects that may
}

// maxWoken is how many waiting jobs are looked at when notifications may have been missed.
const maxWoken = 1000

// waiting returns the jobs of pipelines that wait for a runner; of all of them for nil.
func waiting(ctx context.Context, st *db.Store, pipelineIDs []int64) ([]waitingJobs, error) {
	of := ``
	if pipelineIDs != nil {
		of = ` and j.pipeline_id = any(@pipelines)`
	}
	return db.Many[waitingJobs](ctx, st, `
		select j.count, j.tags, j.protected, `+usesInstanceRunners+` as instance,
		       case when `+usesGroupRunners+` then n.traversal_ids else '{}' end as namespaces,
		       array(select rp.runner_id from runner_projects rp where rp.project_id = p.id) as runners
		from (select j.project_id, j.tags, j.protected, count(*) from (
		          select j.* from jobs j where `+isWaiting+of+` limit @most) j
		      group by j.project_id, j.tags, j.protected) j
		join projects p on p.id = j.project_id join namespaces n on n.id = p.namespace_id
		where `+runsJobs,
		pgx.NamedArgs{"pipelines": pipelineIDs, "most": maxWoken})
}

// fit reports whether a runner may take the jobs.
func (j waitingJobs) fit(r Runner) bool {
	if !r.mayRun(j.Tags, j.Protected) {
		return false
	}
	switch r.Type {
	case InstanceRunner:
		return j.Instance
	case GroupRunner:
		return r.NamespaceID != nil && slices.Contains(j.Namespaces, *r.NamespaceID)
	}
	return slices.Contains(j.Runners, r.ID)
}

// mayRun reports whether a runner may run a job with the tags, of a protected ref or not.
func (r Runner) mayRun(tags []string, protected bool) bool {
	if !protected && r.AccessLevel == refProtected || len(tags) == 0 && !r.RunUntagged {
		return false
	}
	for _, tag := range tags {
		if !slices.Contains(r.Tags, tag) {
			return false
		}
	}
	return true
}

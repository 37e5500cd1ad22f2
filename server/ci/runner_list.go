package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// RunnerFilter narrows a list of runners; zero fields do not.
type RunnerFilter struct {
	For     *tree.Viewer // those of the instance, and others where the viewer is a maintainer
	Reach   *Reach
	States  []string // all of them: see runnerStates
	Tags    []string // all of them
	Version string   // of one of its managers, or what that begins with: 16.2
}

// Reach selects the runners that a group or project can use.
type Reach struct {
	ProjectID    int64   // assigned to it
	NamespaceIDs []int64 // of these groups
	Instance     bool
}

// runnerStates are the words of the API for the state of a runner t, each with its condition.
var runnerStates = map[string]string{
	"active": `not t.paused`, "paused": `t.paused`,
	"specific": `t.runner_type <> 'instance_type'`, "shared": `t.runner_type = 'instance_type'`,
	InstanceRunner: `t.runner_type = 'instance_type'`, GroupRunner: `t.runner_type = 'group_type'`,
	ProjectRunner: `t.runner_type = 'project_type'`,
	"online":      runnerStatus + ` = 'online'`, "offline": runnerStatus + ` = 'offline'`,
	"stale": runnerStatus + ` = 'stale'`, "never_contacted": runnerStatus + ` = 'never_contacted'`,
}

func (f RunnerFilter) where() *db.Where {
	w := db.NewWhere(nil)
	if f.For != nil && !f.For.All {
		spaces, _ := tree.Granted(db.Maintainer)
		w.And(`t.runner_type = 'instance_type'
			or t.namespace_id in (select n.id from namespaces n where n.traversal_ids && array(` + spaces + `))
			or t.id in (select rp.runner_id from runner_projects rp join projects p on p.id = rp.project_id
			            join namespaces n on n.id = p.namespace_id where ` + tree.Holds(db.Maintainer) + `)`)
		w.Args["user"] = f.For.UserID
	}
	if f.Reach != nil {
		w.And(`t.id in (select rp.runner_id from runner_projects rp where rp.project_id = @project)
			or t.namespace_id = any(@namespaces) or @instance and t.runner_type = 'instance_type'`)
		w.Args["project"], w.Args["namespaces"], w.Args["instance"] = f.Reach.ProjectID, f.Reach.NamespaceIDs,
			f.Reach.Instance
	}
	for _, state := range f.States {
		w.And(runnerStates[state])
	}
	w.AndIf(len(f.Tags) > 0, `t.tags @> @tags::text[]`, f.Tags)
	w.AndIf(f.Version != "", `exists (
		select from runner_managers m
		where m.runner_id = t.id and starts_with(m.version, @version)
			and substr(m.version, length(@version) + 1, 1) !~ '[0-9]')`,
		f.Version)
	return w
}

// Runners lists runners by id.
func Runners(ctx context.Context, s *db.Store, f RunnerFilter, p db.Page) ([]Runner, int, error) {
	return db.List[Runner](ctx, s, p, nil, "t.id", selectRunners, f.where())
}

// RunnerProjects returns the projects that a runner is assigned to and that have the viewer as a
// member, in the order of assignment.
func RunnerProjects(ctx context.Context, s *db.Store, id int64, v tree.Viewer) ([]tree.Project, error) {
	w := db.NewWhere(pgx.NamedArgs{"user": v.UserID})
	w.And(`rp.runner_id = @runner`, id)
	w.AndIf(!v.All, tree.Holds(db.Guest))
	return db.Many[tree.Project](ctx, s,
		`select `+tree.ProjectColumns+tree.ProjectTables+` join runner_projects rp on rp.project_id = p.id`+w.String()+
			` order by rp.id`, w.Args)
}

// RunnersByID returns runners by their ids.
func RunnersByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Runner, error) {
	list, err := db.Many[Runner](ctx, s, selectRunners+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]Runner, len(list))
	for _, r := range list {
		byID[r.ID] = r
	}
	return byID, err
}

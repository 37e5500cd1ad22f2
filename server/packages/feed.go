package packages

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
)

// Feed is the packages that one address serves: those of a project, or those of the projects in a
// group and below it that the reader may read.
type Feed struct {
	ProjectID int64 // 0: those of a group
	GroupID   int64
	Reader    Reader
}

// Reader is who reads the packages of a group.
type Reader struct {
	UserID        int64         // 0: nobody
	Open          db.Visibility // sees projects that are at least so visible without being a member
	All           bool          // reads what only members may read
	Anyone        bool          // projects can let anybody read their packages
	DeployGroup   int64         // the group of a deploy token, which reads what is in it; 0: none
	DeployProject int64         // the project of a deploy token; 0: none
	Job           *JobScope     // nil unless a job reads
}

// JobScope is the project of a job that reads: what only members may read, it reads where its
// project is let in.
type JobScope struct {
	ProjectID    int64
	NamespaceIDs []int64
}

// accessLevel is the SQL expression of the package access level of a project p.
const accessLevel = `case when coalesce((p.settings ->> 'packages_enabled')::boolean, true)
	then coalesce(p.settings ->> 'package_registry_access_level', '` + string(policy.Enabled) + `')
	else '` + string(policy.Disabled) + `' end`

// jobAdmitted is the condition that a project p admits the job of a reader.
const jobAdmitted = `(p.id = @job_project or not coalesce((p.settings ->> 'ci_inbound_job_token_scope_enabled')::boolean, true)
	or exists (select from job_token_scopes s where s.project_id = p.id
	    and (s.from_project_id = @job_project or s.from_group_id = any(@job_groups))))`

// within adds the condition that a row of the table t belongs to a project of the feed.
func (f Feed) within(w *db.Where) {
	if f.ProjectID != 0 {
		w.And(`t.project_id = @project`, f.ProjectID)
		return
	}
	w.And(`t.project_id = any(array(` + f.projects(w.Args) + `))`) // found once, however many packages there are
}

// projects returns the query of the ids of the projects of a group whose packages the reader may
// read, and adds its arguments.
func (f Feed) projects(args pgx.NamedArgs) string {
	r := f.Reader
	args["group"], args["user"], args["open"], args["anyone"] = f.GroupID, r.UserID, r.Open, r.Anyone
	sql := `select p.id` + tree.ProjectTables + ` where n.traversal_ids @> array[@group::bigint]`
	if r.All {
		return sql + ` and ` + accessLevel + ` <> '` + string(policy.Disabled) + `'`
	}
	member := tree.Holds(int(policy.Reporter))
	if r.Job != nil {
		member += ` and ` + jobAdmitted
		args["job_project"], args["job_groups"] = r.Job.ProjectID, r.Job.NamespaceIDs
	}
	if r.DeployGroup != 0 {
		member += ` or n.traversal_ids @> array[@deploy_group::bigint]`
		args["deploy_group"] = r.DeployGroup
	}
	if r.DeployProject != 0 {
		member += ` or p.id = @deploy_project`
		args["deploy_project"] = r.DeployProject
	}
	return sql + ` and case ` + accessLevel + `
		when '` + string(policy.Disabled) + `' then false
		when '` + string(policy.MembersOnly) + `' then (` + member + `)
		when 'public' then @anyone or p.visibility >= @open or (` + member + `)
		else p.visibility >= @open or (` + member + `) end`
}

// PublicInGroup reports whether a project in a group or below it lets anybody read its packages.
func PublicInGroup(ctx context.Context, s *db.Store, groupID int64) (bool, error) {
	return db.Value[bool](ctx, s, `select exists (select p.id`+tree.ProjectTables+`
		where n.traversal_ids @> array[@group::bigint] and `+accessLevel+` = 'public')`,
		pgx.NamedArgs{"group": groupID})
}

// InGroup returns a page of the packages of a group's feed, and their capped count.
func InGroup(ctx context.Context, s *db.Store, f Feed, filter Filter, p db.Page) ([]Package, int, error) {
	w := db.NewWhere(nil)
	f.within(w)
	filter.Within(w)
	return db.List[Package](ctx, s, p, packageOrders, "t.id", selectPackages, w)
}

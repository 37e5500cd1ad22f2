package merge

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/protect"
)

// approvalListeners keep the approval rules of merge requests right: those of code owners when
// there is another version, all of them as they were when it is merged, and the merge requests' own
// when settings forbid them.
var approvalListeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e Changed) error {
		b, r := e.Before, e.Request
		switch {
		case e.Action == Merging:
			return freezeApprovals(ctx, st, e.Project, b)
		case r.State == Merged || b.Head == r.Head && b.Base == r.Base && b.TargetBranch == r.TargetBranch:
			return nil
		}
		g, err := code.Open(ctx, st, e.Project)
		if err != nil {
			return err
		}
		return UpdateOwnerRules(ctx, st, g, e.Project, r)
	}),
	event.On(func(ctx context.Context, st *db.Store, e protect.ApprovalSettingsChanged) error {
		if e.Now.Overrides.Value {
			return nil
		}
		return restoreProjectRules(ctx, st, e)
	}),
}

// restoreProjectRules deletes the rules that open merge requests of a project, or of all projects
// in a group, have in place of the project's. They do not come back when they are allowed again.
func restoreProjectRules(ctx context.Context, st *db.Store, e protect.ApprovalSettingsChanged) error {
	c := e.Source.Container()
	w := db.NewWhere(nil)
	w.And(`r.state in ('opened', 'locked') and r.rules_overridden`)
	w.AndIf(c.ProjectID != nil, `r.project_id = @project`, c.ProjectID)
	w.AndIf(c.NamespaceID != nil, `r.project_id in (
		select p.id from projects p join namespaces n on n.id = p.namespace_id
		where n.traversal_ids @> array[@namespace::bigint])`, c.NamespaceID)
	ids, err := db.Values[int64](ctx, st, `
		update merge_requests r set rules_overridden = false`+w.String()+` returning r.id`, w.Args)
	if err != nil || len(ids) == 0 {
		return err
	}
	return st.Exec(ctx, `
		delete from merge_request_rules where merge_request_id = any(@ids) and rule_type <> 'code_owner'`,
		pgx.NamedArgs{"ids": ids})
}

package protect

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Collaborates reports whether a user without the role for it may push to some branch of a project,
// because of its merge request: see collaborations.
func Collaborates(ctx context.Context, st *db.Store, project int64, by Pusher) (bool, error) {
	branches, err := collaborations(ctx, st, project, by)
	return len(branches) > 0, err
}

// collaborations returns the branches of a fork that a user may push to without a role there: those
// of open merge requests into projects where the user may merge, if their authors allow it (more
// §6.2). It counts only where everybody like the user sees both projects and the code of the fork.
// Protected branches are in it, too.
func collaborations(ctx context.Context, st *db.Store, project int64, by Pusher) (map[string]bool, error) {
	if by.ID == 0 || by.DeployKeyID != 0 || by.isDeveloper() {
		return nil, nil
	}
	type wanted struct {
		TargetID int64  `db:"project_id"`
		Target   string `db:"target_branch"`
		Source   string `db:"source_branch"`
	}
	list, err := db.Many[wanted](ctx, st, `
		select distinct t.project_id, t.target_branch, t.source_branch
		from merge_requests t join projects s on s.id = t.source_project_id join projects p on p.id = t.project_id
			join users u on u.id = @user
		where t.source_project_id = @project and t.project_id <> t.source_project_id
			and t.allow_collaboration and t.state = 'opened' and not p.archived
			and least(s.visibility, p.visibility) >= case when u.external then 20 else 10 end
			and coalesce(s.settings ->> 'repository_access_level', 'enabled') = 'enabled'
			and coalesce(p.settings ->> 'merge_requests_access_level', 'enabled') <> 'disabled'
		order by t.project_id`,
		pgx.NamedArgs{"project": project, "user": by.ID})
	if err != nil {
		return nil, err
	}
	branches := map[string]bool{}
	targets := map[int64]*Protection{} // most forks have one
	for _, w := range list {
		target := targets[w.TargetID]
		if target == nil {
			if target, err = protectionFrom(ctx, st, w.TargetID, by.ID); err != nil {
				return nil, err
			}
			targets[w.TargetID] = target
		}
		if target.MayMerge(w.Target) {
			branches[w.Source] = true
		}
	}
	return branches, nil
}

// protectionFrom reads what a project protects from a user, whatever the user is elsewhere.
func protectionFrom(ctx context.Context, st *db.Store, project, userID int64) (*Protection, error) {
	standings, err := tree.Standings(ctx, st, db.Container{ProjectID: &project}, []int64{userID})
	if err != nil {
		return nil, err
	}
	return readProtection(ctx, st, project, Pusher{Who: standings[userID].Who()})
}

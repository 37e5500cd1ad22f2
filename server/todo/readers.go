package todo

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/tree"
	"hew/server/work"
)

// about is what to-dos are about: an issue, a merge request, an epic or a commit, or a note on it.
type about struct {
	note.Target
	issue    work.Issue    // of Kind Issue
	request  merge.Request // of Kind MergeRequest
	noteID   *int64
	internal bool   // the note is
	text     string // of the note, or the description
}

func aboutIssue(i work.Issue) about {
	return about{Target: i.Target(), issue: i, text: db.OrZero(i.Description)}
}

func aboutRequest(r merge.Request) about {
	return about{Target: r.Target(), request: r, text: db.OrZero(r.Description)}
}

// aboutNote returns a note on its target.
func aboutNote(ctx context.Context, st *db.Store, on note.Target, n note.Note) (about, error) {
	a := about{Target: on, noteID: &n.ID, internal: n.Internal, text: n.Body}
	if on.Kind == note.Issue {
		byID, err := work.IssuesByID(ctx, st, []int64{on.ID})
		if err != nil {
			return a, err
		}
		a.issue = byID[on.ID]
	}
	if on.Kind == note.MergeRequest {
		byID, err := merge.RequestsByID(ctx, st, []int64{on.ID})
		if err != nil {
			return a, err
		}
		a.request = byID[on.ID]
	}
	return a, nil
}

// readers returns those of the users who can read it.
func (a about) readers(ctx context.Context, st *db.Store, users []int64) ([]int64, error) {
	if len(users) == 0 {
		return nil, nil
	}
	switch a.Kind {
	case note.Issue:
		return work.IssueReaders(ctx, st, a.issue, users, a.internal)
	case note.MergeRequest:
		return merge.Readers(ctx, st, a.request, users)
	case note.Epic:
		return a.epicReaders(ctx, st, users)
	}
	return a.commitReaders(ctx, st, users)
}

func (a about) epicReaders(ctx context.Context, st *db.Store, users []int64) ([]int64, error) {
	e, err := db.One[struct {
		Confidential bool   `db:"confidential"`
		AuthorID     *int64 `db:"author_id"`
	}](ctx, st, "Epic", `select confidential, author_id from epics where id = @id`, pgx.NamedArgs{"id": a.ID})
	if err != nil {
		return nil, err
	}
	return a.among(ctx, st, users, func(s tree.Standing) bool {
		planner := s.Level >= int(policy.Planner)
		author := e.AuthorID != nil && *e.AuthorID == s.UserID
		return (!e.Confidential || planner || author) && (!a.internal || planner)
	})
}

func (a about) commitReaders(ctx context.Context, st *db.Store, users []int64) ([]int64, error) {
	p, err := db.One[struct {
		Access     string        `db:"access"`
		Visibility db.Visibility `db:"visibility"`
	}](ctx, st, "Project", `select p.visibility, `+repositoryAccess+` as access from projects p where p.id = @id`,
		pgx.NamedArgs{"id": a.ProjectID})
	if err != nil || policy.Access(p.Access) == policy.Disabled {
		return nil, err
	}
	open, err := db.Values[int64](ctx, st, `
		select u.id from users u where u.id = any(@users)
			and @visibility >= case when u.external then @public::int else @internal end`,
		pgx.NamedArgs{
			"users": users, "visibility": int(p.Visibility), "public": int(db.Public), "internal": int(db.Internal),
		})
	if err != nil {
		return nil, err
	}
	stranger := map[int64]bool{}
	for _, id := range open {
		stranger[id] = policy.Access(p.Access) == policy.Enabled
	}
	return a.among(ctx, st, users, func(s tree.Standing) bool {
		return (s.Level >= int(policy.Reporter) || stranger[s.UserID]) && !a.internal
	})
}

// among returns those of the users who see the group or project and whom readable admits, and the
// administrators.
func (a about) among(
	ctx context.Context, st *db.Store, users []int64, readable func(tree.Standing) bool,
) (list []int64, err error) {
	standings, err := tree.Standings(ctx, st, a.Container, users)
	for _, id := range users {
		if s := standings[id]; s.Sees && (s.Admin || readable(s)) {
			list = append(list, id)
		}
	}
	return list, err
}

package work

import (
	"context"

	"hew/server/db"
	"hew/server/markdown"
	"hew/server/quick"
	"hew/server/tree"
)

// issueRun is a run of quick actions on an issue of a project.
type issueRun = CommandRun[Issue]

// NewIssueRun returns a run of calls on an issue of a project. NoteID is that of the note that has
// them, 0 if there is none.
func NewIssueRun(p tree.Project, a Actor, calls []quick.Call, noteID int64) *CommandRun[Issue] {
	at := Place{Base: a.Base, Path: p.FullPath}
	return NewRun(a, CommandsOn[Issue]{
		At: at, Project: p, Table: issueCommands,
		Find: func(ctx context.Context, st *db.Store, argument string) ([]Issue, error) {
			return a.Viewer.ReferredIssues(ctx, st, at, markdown.References(argument))
		},
		Change: func(ctx context.Context, st *db.Store, id int64, edit db.Edit[Issue]) (Issue, error) {
			return ChangeIssue(ctx, st, p, a.User, db.ByID(id), edit)
		},
		Readers: func(ctx context.Context, st *db.Store, i Issue, users []int64) ([]int64, error) {
			return IssueReaders(ctx, st, i, users, false)
		},
		Spend: func(ctx context.Context, st *db.Store, id int64, s Spent) error {
			_, err := SpendTime(ctx, st, p, a.User, id, s)
			return err
		},
		ResetSpent: func(ctx context.Context, st *db.Store, id int64) error {
			_, err := ResetTimeSpent(ctx, st, p, a.User, id)
			return err
		},
	}, calls, noteID)
}

// NewEpicRun is NewIssueRun for an epic of a group.
func NewEpicRun(g tree.Group, a Actor, calls []quick.Call, noteID int64) *CommandRun[Epic] {
	at := Place{Base: a.Base, Path: g.FullPath, Group: true}
	return NewRun(a, CommandsOn[Epic]{
		At: at, Table: epicCommands,
		Find: func(ctx context.Context, st *db.Store, argument string) ([]Epic, error) {
			return a.Viewer.ReferredEpics(ctx, st, at, markdown.References(argument))
		},
		Change: func(ctx context.Context, st *db.Store, id int64, edit db.Edit[Epic]) (Epic, error) {
			return ChangeEpic(ctx, st, g, a.User, db.ByID(id), edit)
		},
	}, calls, noteID)
}

package todo

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/tree"
	"hew/server/work"
)

// Targets is what to-dos are about and where that is, by id.
type Targets struct {
	Projects map[int64]tree.Project
	Groups   map[int64]tree.Group
	Issues   map[int64]work.Issue
	Epics    map[int64]work.EpicRef
	Requests map[int64]merge.Request
	Commits  map[code.CommitName]code.Commit
}

// CommitName returns the name of the commit that the to-do is about.
func (t Todo) CommitName() code.CommitName {
	return code.CommitName{ProjectID: db.OrZero(t.ProjectID), ID: object.ID(t.CommitOID)}
}

// ReadTargets reads what the to-dos are about, in a statement for each kind.
func ReadTargets(ctx context.Context, st *db.Store, list []Todo) (found Targets, err error) {
	var projects, groups, issues, epics, requests []int64
	var commits []code.CommitName
	for _, t := range list {
		projects = db.AppendNotNull(projects, t.ProjectID)
		groups = db.AppendNotNull(groups, t.NamespaceID)
		issues = db.AppendNotNull(issues, t.IssueID)
		epics = db.AppendNotNull(epics, t.EpicID)
		requests = db.AppendNotNull(requests, t.MergeRequestID)
		if t.CommitOID != nil {
			commits = append(commits, t.CommitName())
		}
	}
	found.Projects, err = readByID(ctx, st, tree.SelectProjects+` where p.id = any(@ids)`, projects,
		func(p tree.Project) int64 { return p.ID })
	if err != nil {
		return found, err
	}
	found.Groups, err = readByID(ctx, st, `select n.* from namespaces n where n.id = any(@ids)`, groups,
		func(g tree.Group) int64 { return g.ID })
	if err != nil {
		return found, err
	}
	if found.Issues, err = work.IssuesByID(ctx, st, issues); err != nil {
		return found, err
	}
	if found.Epics, err = work.EpicRefs(ctx, st, epics); err != nil {
		return found, err
	}
	if found.Requests, err = merge.RequestsByID(ctx, st, requests); err != nil {
		return found, err
	}
	found.Commits, err = code.CommitsNamed(ctx, st, commits)
	return found, err
}

// readByID returns the rows of a query of @ids, by id; it does not ask for none.
func readByID[T any](ctx context.Context, st *db.Store, sql string, ids []int64, id func(T) int64) (map[int64]T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := db.Many[T](ctx, st, sql, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]T, len(list))
	for _, row := range list {
		byID[id(row)] = row
	}
	return byID, err
}

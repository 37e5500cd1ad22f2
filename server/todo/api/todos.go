package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	mergeapi "hew/server/merge/api"
	"hew/server/note"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/todo"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// todos serves the to-dos of the caller (more §1).
type todos struct{ *view.Site }

func (a todos) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/todos", scope.ForSigned(), a.list),
		rest.Post("/todos/{todo_id}/mark_as_done", scope.ForSigned(), a.finish),
		rest.Post("/todos/mark_as_done", scope.ForSigned(), a.finishAll).Status(204),
		rest.Post("/projects/{id}/issues/{issue_iid}/todo", workapi.ForIssue(createIssueTodo), a.markIssue),
		rest.Post("/projects/{id}/merge_requests/{merge_request_iid}/todo", mergeapi.ForRequest(createRequestTodo),
			a.markRequest),
		rest.Post("/groups/{id}/epics/{epic_iid}/todo", workapi.ForEpic(createEpicTodo), a.markEpic),
		rest.Get("/user_counts", scope.ForSigned("read_user"), a.counts),
	}
}

// todoFilters are the parameters that narrow lists of to-dos.
type todoFilters struct {
	Action    string          `param:"action" oneof:"assigned mentioned build_failed marked approval_required unmergeable directly_addressed merge_train_removed review_requested review_submitted member_access_requested okr_checkin_requested added_approver ssh_key_expired ssh_key_expiring_soon"`
	AuthorID  rest.Opt[int64] `param:"author_id"`
	ProjectID rest.Opt[int64] `param:"project_id"`
	GroupID   rest.Opt[int64] `param:"group_id"`
	State     string          `param:"state" default:"pending" oneof:"pending done"`
	Type      string          `param:"type" oneof:"Issue WorkItem MergeRequest Commit Epic DesignManagement::Design AlertManagement::Alert Project Namespace Vulnerability WikiPage::Meta"`
}

func (in todoFilters) filter(s scope.Signed) todo.Filter {
	return todo.Filter{
		Viewer: viewerOf(s), Action: todo.Action(in.Action), AuthorID: valueOf(in.AuthorID),
		ProjectID: valueOf(in.ProjectID), GroupID: valueOf(in.GroupID), State: in.State, Type: todo.Type(in.Type),
	}
}

// viewerOf returns the caller as who reads issues.
func viewerOf(s scope.Signed) work.Viewer {
	return work.Viewer{UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller), All: s.Caller.Admin()}
}

func valueOf(o rest.Opt[int64]) *int64 {
	if v, ok := o.Value(); ok {
		return &v
	}
	return nil
}

type todoList struct {
	rest.Paging
	todoFilters
}

func (a todos) list(ctx context.Context, s scope.Signed, in todoList) (rest.List[todoView], error) {
	list, total, err := todo.List(ctx, s.Store, in.filter(s), scope.PageOf(in.Paging))
	if err != nil {
		return rest.List[todoView]{}, err
	}
	views, err := a.views(ctx, s.Anyone, list)
	return rest.Page(views, total, err)
}

type todoOne struct {
	ID int64 `param:"todo_id"`
}

func (a todos) finish(ctx context.Context, s scope.Signed, in todoOne) (todoView, error) {
	t, err := todo.Finish(ctx, s.Store, viewerOf(s), in.ID)
	if err != nil {
		return todoView{}, err
	}
	return a.one(ctx, s.Anyone, t)
}

func (todos) finishAll(ctx context.Context, s scope.Signed, in todoFilters) (rest.None, error) {
	return rest.None{}, todo.FinishAll(ctx, s.Store, in.filter(s))
}

func (a todos) markIssue(ctx context.Context, s workapi.InIssue, _ rest.None) (todoView, error) {
	return a.mark(ctx, s.Anyone, s.Issue.Target())
}

func (a todos) markRequest(ctx context.Context, s mergeapi.InRequest, _ rest.None) (todoView, error) {
	return a.mark(ctx, s.Anyone, s.Request.Target())
}

func (a todos) markEpic(ctx context.Context, s workapi.InEpic, _ rest.None) (todoView, error) {
	return a.mark(ctx, s.Anyone, s.Epic.Target())
}

// mark makes a to-do of the caller; a pending one is not modified.
func (a todos) mark(ctx context.Context, s scope.Anyone, on note.Target) (todoView, error) {
	t, made, err := todo.Mark(ctx, s.Store, on, s.Caller.User)
	switch {
	case err != nil:
		return todoView{}, err
	case !made:
		return todoView{}, fault.NotModified()
	}
	return a.one(ctx, s, t)
}

// userCounts are the numbers of what the caller has to do.
type userCounts struct {
	MergeRequests  int `json:"merge_requests"` // assigned to the caller
	AssignedIssues int `json:"assigned_issues"`
	AssignedMerges int `json:"assigned_merge_requests"`
	ReviewedMerges int `json:"review_requested_merge_requests"`
	Todos          int `json:"todos"`
}

func (todos) counts(ctx context.Context, s scope.Signed, _ rest.None) (c userCounts, err error) {
	v := viewerOf(s)
	issues, err := work.CountIssues(ctx, s.Store, work.IssueFilter{
		Viewer: v, AssignedTo: &v.UserID, State: work.Opened, NonArchived: true,
	})
	if err != nil {
		return c, err
	}
	c.AssignedIssues = issues.Opened
	open := merge.Filter{Viewer: v, State: merge.Opened, NonArchived: true}
	assigned, review := open, open
	assigned.AssignedTo, review.ReviewedBy = &v.UserID, &v.UserID
	if c.AssignedMerges, err = merge.Count(ctx, s.Store, assigned); err != nil {
		return c, err
	}
	if c.ReviewedMerges, err = merge.Count(ctx, s.Store, review); err != nil {
		return c, err
	}
	c.MergeRequests = c.AssignedMerges
	c.Todos, err = todo.Count(ctx, s.Store, todo.Filter{Viewer: v, State: todo.Pending})
	c.Todos = min(c.Todos, db.MaxCount)
	return c, err
}

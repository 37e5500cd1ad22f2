package api

import (
	"context"
	"fmt"
	"time"

	codeapi "hew/server/code/api"
	"hew/server/db"
	mergeapi "hew/server/merge/api"
	"hew/server/scope"
	"hew/server/todo"
	"hew/server/tree"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// todoView is a to-do as answers show it (spec 2 §2.3, more §1).
type todoView struct {
	ID         int64           `json:"id"`
	Project    *projectView    `json:"project,omitempty"`
	Group      *groupView      `json:"group,omitempty"`
	Author     *view.BasicUser `json:"author"`
	ActionName todo.Action     `json:"action_name"`
	TargetType todo.Type       `json:"target_type"`
	Target     any             `json:"target"`
	TargetURL  string          `json:"target_url"`
	Body       string          `json:"body"`
	State      string          `json:"state"`
	CreatedAt  time.Time       `json:"created_at"`
	UpdatedAt  time.Time       `json:"updated_at"`
}

type projectView struct {
	ID                int64     `json:"id"`
	Description       *string   `json:"description"`
	Name              string    `json:"name"`
	NameWithNamespace string    `json:"name_with_namespace"`
	Path              string    `json:"path"`
	PathWithNamespace string    `json:"path_with_namespace"`
	CreatedAt         time.Time `json:"created_at"`
}

func projectViewOf(p tree.Project) *projectView {
	return &projectView{
		p.ID, p.Description, p.Name, p.NamespaceFullName + " / " + p.Name, p.Path, p.FullPath, p.CreatedAt,
	}
}

type groupView struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Path      string  `json:"path"`
	Kind      string  `json:"kind"`
	FullPath  string  `json:"full_path"`
	ParentID  *int64  `json:"parent_id"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    string  `json:"web_url"`
}

func (a todos) group(g tree.Group) *groupView {
	return &groupView{
		g.ID, g.Name, g.Path, "group", g.FullPath, g.ParentID, a.Picture(g.Avatar), a.Web("groups/" + g.FullPath),
	}
}

// epicView is an epic as to-dos show it.
type epicView struct {
	ID      int64  `json:"id"`
	IID     int    `json:"iid"`
	GroupID int64  `json:"group_id"`
	Title   string `json:"title"`
	WebURL  string `json:"web_url"`
}

// views returns the views of to-dos of a caller. What they are about is read once for all of them.
func (a todos) views(ctx context.Context, s scope.Anyone, list []todo.Todo) ([]todoView, error) {
	targets, err := todo.ReadTargets(ctx, s.Store, list)
	if err != nil {
		return nil, err
	}
	issues, err := workapi.ViewIssues(ctx, s, a.Site, targets.Issues)
	if err != nil {
		return nil, err
	}
	requests, err := mergeapi.ViewRequests(ctx, s, a.Site, targets.Requests)
	views := make([]todoView, len(list))
	for n, t := range list {
		views[n] = a.view(t, targets, issues, requests)
	}
	return views, err
}

func (a todos) one(ctx context.Context, s scope.Anyone, t todo.Todo) (todoView, error) {
	views, err := a.views(ctx, s, []todo.Todo{t})
	if err != nil {
		return todoView{}, err
	}
	return views[0], nil
}

func (a todos) view(
	t todo.Todo, targets todo.Targets, issues map[int64]workapi.IssueView, requests map[int64]mergeapi.RequestView,
) todoView {
	v := todoView{
		ID: t.ID, Author: a.Author(t.Author), ActionName: t.Action, TargetType: t.Type(), State: t.State,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
	project, group := targets.Projects[db.OrZero(t.ProjectID)], targets.Groups[db.OrZero(t.NamespaceID)]
	if t.ProjectID != nil {
		v.Project = projectViewOf(project)
	} else {
		v.Group = a.group(group)
	}
	switch v.TargetType {
	case todo.Issue:
		i := issues[*t.IssueID]
		v.Target, v.TargetURL, v.Body = i, i.WebURL, i.Title
	case todo.MergeRequest:
		r := requests[*t.MergeRequestID]
		v.Target, v.TargetURL, v.Body = r, r.WebURL, r.Title
	case todo.Epic:
		e := targets.Epics[*t.EpicID]
		v.TargetURL, v.Body = a.Web(fmt.Sprintf("groups/%s/-/epics/%d", e.Path, e.IID)), e.Title
		v.Target = a.epic(e, v.TargetURL)
	case todo.Commit:
		a.showCommit(&v, t, targets, project)
	case todo.Project:
		v.Target, v.Body = a.SimpleProject(project), project.FullPath
		v.TargetURL = a.Web(project.FullPath+"/-/project_members") + "?tab=access_requests"
	case todo.Group:
		v.Target, v.Body = v.Group, group.FullPath
		v.TargetURL = a.Web("groups/"+group.FullPath+"/-/group_members") + "?tab=access_requests"
	}
	if t.Text != nil {
		v.Body = *t.Text
	}
	if t.NoteID != nil {
		v.TargetURL += fmt.Sprintf("#note_%d", *t.NoteID)
	}
	return v
}

func (todos) epic(e work.EpicRef, page string) epicView {
	return epicView{e.ID, e.IID, e.GroupID, e.Title, page}
}

// showCommit shows a commit; its repository may no longer have it.
func (a todos) showCommit(v *todoView, t todo.Todo, targets todo.Targets, p tree.Project) {
	name := t.CommitName()
	v.TargetURL = a.Web(p.FullPath + "/-/commit/" + name.ID.String())
	if c, ok := targets.Commits[name]; ok {
		v.Target, v.Body = codeapi.ViewCommit(a.Site, p, c), c.Title()
	}
}

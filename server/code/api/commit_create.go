package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
)

type commitAction struct {
	Action       string           `param:"action,required"`
	Path         string           `param:"file_path,required"`
	PreviousPath string           `param:"previous_path"`
	Content      rest.Opt[string] `param:"content"`
	Encoding     string           `param:"encoding" default:"text"`
	LastCommit   string           `param:"last_commit_id"`
	Executable   rest.Opt[bool]   `param:"execute_filemode"`
}

// commitNew are the parameters of a commit. The handler checks them, with texts of its own.
type commitNew struct {
	Branch       string           `param:"branch"`
	Message      string           `param:"commit_message"`
	Actions      []commitAction   `param:"actions,array"`
	StartBranch  string           `param:"start_branch"`
	StartSHA     string           `param:"start_sha"`
	StartProject rest.Opt[string] `param:"start_project"`
	AuthorEmail  string           `param:"author_email"`
	AuthorName   string           `param:"author_name"`
	Stats        bool             `param:"stats" default:"true"`
	Force        bool             `param:"force"`
	_            struct{}         `exclusive:"start_branch start_sha"`
}

func (a commits) create(ctx context.Context, s scope.InProject, in commitNew) (commitDetails, error) {
	n := code.NewCommit{
		Project: s.Project.Project, By: AuthorOf(s), Branch: in.Branch, Message: in.Message,
		AuthorName: in.AuthorName, AuthorEmail: in.AuthorEmail, StartBranch: in.StartBranch, StartCommit: in.StartSHA,
		Force: in.Force,
	}
	if err := in.check(); err != nil {
		return commitDetails{}, err
	}
	for i, action := range in.Actions {
		converted, err := action.convert(i)
		if err != nil {
			return commitDetails{}, err
		}
		n.Actions = append(n.Actions, converted)
	}
	if ref := in.StartProject.Or(""); ref != "" {
		p, err := relative(ctx, s, ref)
		if fault.CodeOf(err) == fault.CodeForbidden {
			err = fault.Forbidden("Project is not included in the fork network for " + s.Project.NamespaceFullName)
		}
		if err != nil {
			return commitDetails{}, err
		}
		if p.ID != s.Project.ID {
			n.StartIn = &p
		}
	}
	c, err := code.CreateCommit(ctx, s.Store, n)
	if err != nil {
		return commitDetails{}, err
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return commitDetails{}, err
	}
	return a.views(s).details(ctx, g, c, in.Stats)
}

// check returns a fault for the first parameter that is missing.
func (in commitNew) check() error {
	for _, p := range []struct {
		name  string
		given bool
	}{
		{"branch", in.Branch != ""}, {"commit_message", in.Message != ""}, {"actions", len(in.Actions) > 0},
	} {
		if !p.given {
			return fault.BadRequest(p.name + " is required")
		}
	}
	return nil
}

// verbs are what an action can do, and the parameter that it needs besides the path.
var verbs = map[string]string{
	"create": "content", "update": "content", "move": "previous_path", "delete": "", "chmod": "execute_filemode",
}

// convert checks what an action needs.
func (in commitAction) convert(i int) (code.Action, error) {
	a := code.Action{
		Do: in.Action, Path: in.Path, PreviousPath: in.PreviousPath, Encoding: in.Encoding, LastCommit: in.LastCommit,
	}
	if text, ok := in.Content.Value(); ok {
		a.Content = &text
	}
	if on, ok := in.Executable.Value(); ok {
		a.Executable = &on
	}
	need, ok := verbs[a.Do]
	given := map[string]bool{
		"": true, "content": a.Content != nil, "previous_path": a.PreviousPath != "",
		"execute_filemode": a.Executable != nil,
	}
	switch {
	case !ok:
		return a, fault.BadRequest(fmt.Sprintf(
			"actions[%d][action] must be one of: create, update, move, delete, chmod", i))
	case !given[need]:
		return a, fault.BadRequest(fmt.Sprintf("actions[%d][%s] is required for %s action", i, need, a.Do))
	case a.Encoding != "text" && a.Encoding != "base64":
		return a, fault.BadRequest(fmt.Sprintf("actions[%d][encoding] must be text or base64", i))
	}
	return a, nil
}

package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

type commitAction struct {
	Action       string           `param:"action,required" oneof:"create update move delete chmod"`
	Path         string           `param:"file_path,required"`
	PreviousPath string           `param:"previous_path"`
	Content      rest.Opt[string] `param:"content"`
	Encoding     string           `param:"encoding" default:"text" oneof:"text base64"`
	LastCommit   string           `param:"last_commit_id"`
	Executable   rest.Opt[bool]   `param:"execute_filemode"`
}

type commitNew struct {
	Branch       string           `param:"branch,required"`
	Message      string           `param:"commit_message,required"`
	Actions      []commitAction   `param:"actions,required"`
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
		Project: s.Project.Project, By: authorOf(s), Branch: in.Branch, Message: in.Message,
		AuthorName: in.AuthorName, AuthorEmail: in.AuthorEmail, StartBranch: in.StartBranch, StartCommit: in.StartSHA,
		Force: in.Force,
	}
	for i, action := range in.Actions {
		converted, err := action.convert(i)
		if err != nil {
			return commitDetails{}, err
		}
		n.Actions = append(n.Actions, converted)
	}
	if ref := in.StartProject.Or(""); ref != "" {
		if err := checkStart(ctx, s, ref); err != nil {
			return commitDetails{}, err
		}
	}
	return rest.Show(a.views(s).details)(code.CreateCommit(ctx, s.Store, n))
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
	missing := ""
	switch {
	case (a.Do == "create" || a.Do == "update") && a.Content == nil:
		missing = "content"
	case a.Do == "move" && a.PreviousPath == "":
		missing = "previous_path"
	case a.Do == "chmod" && a.Executable == nil:
		missing = "execute_filemode"
	}
	if missing != "" {
		return a, requiredFor(i, missing, a.Do)
	}
	return a, nil
}

// checkStart returns a fault unless a commit may begin in the project that ref names: one that the
// caller may read, of the same fork network.
func checkStart(ctx context.Context, s scope.InProject, ref string) error {
	p, err := tree.ProjectFor(ctx, s.Store, ref, s.Caller.ID())
	if err != nil {
		return err
	}
	from := scope.InProject{Anyone: s.Anyone, Project: p}
	if !from.Can(policy.ReadCode) {
		return fault.NotFound("Project")
	}
	if p.ID != s.Project.ID {
		return fault.Forbidden("Project is not included in the fork network for " + s.Project.NamespaceFullName)
	}
	return nil
}

// requiredFor returns the fault of an action that lacks a parameter.
func requiredFor(i int, parameter, action string) error {
	return fault.Param(fmt.Sprintf("actions[%d][%s] is required for %s action", i, parameter, action))
}

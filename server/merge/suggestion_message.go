package merge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// defaultSuggestion is the message of a commit of suggestions without a template (more §2.3).
const defaultSuggestion = "Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)\n\n%{co_authored_by}"

// author returns the author of the commit: that of the suggestions, if they have a single one; nil
// for who applies them.
func (a Apply) author(ctx context.Context, st *db.Store) (*tree.User, error) {
	authors, err := a.authors(ctx, st)
	if err != nil || len(authors) != 1 {
		return nil, err
	}
	return &authors[0], nil
}

// authors returns who made the suggestions, by id.
func (a Apply) authors(ctx context.Context, st *db.Store) (list []tree.User, err error) {
	var ids []int64
	for _, s := range a.List {
		if s.AuthorID != nil && !slices.Contains(ids, *s.AuthorID) {
			ids = append(ids, *s.AuthorID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		u, err := tree.FindUser(ctx, st, id)
		if fault.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err == nil {
			list = append(list, u)
		}
	}
	return list, nil
}

// emailOf returns the address that a user signs commits with.
func emailOf(u tree.User) string {
	if u.CommitEmail != nil && *u.CommitEmail != "" {
		return *u.CommitEmail
	}
	return u.Email
}

// message returns the message of the commit.
func (a Apply) message(ctx context.Context, st *db.Store, actions []code.Action) (string, error) {
	template := a.Message
	if template == "" {
		template = a.Template
	}
	if template == "" {
		template = defaultSuggestion
	}
	authors, err := a.authors(ctx, st)
	if err != nil {
		return "", err
	}
	var paths, others []string
	for _, action := range actions {
		paths = append(paths, action.Path)
	}
	for _, u := range authors {
		if len(authors) > 1 && u.ID != a.By.User.ID {
			others = append(others, fmt.Sprintf("Co-authored-by: %s <%s>", u.Name, emailOf(u)))
		}
	}
	text := strings.NewReplacer(
		"%{suggestions_count}", fmt.Sprint(len(a.List)), "%{files_count}", fmt.Sprint(len(actions)),
		"%{file_paths}", strings.Join(paths, ", "), "%{branch_name}", a.Request.SourceBranch,
		"%{project_name}", a.ProjectName, "%{project_path}", a.ProjectPath,
		"%{user_full_name}", a.By.User.Name, "%{username}", a.By.User.Username,
		"%{co_authored_by}", strings.Join(others, "\n"),
	).Replace(template)
	return strings.TrimSpace(text), nil
}

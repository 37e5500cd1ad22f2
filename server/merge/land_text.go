package merge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/tree"
	"hew/server/work"
)

const (
	maxListedCommits = 100       // in a message
	maxListedBody    = 100 << 10 // of one commit, in bytes
	maxTemplate      = 500       // characters
)

// texts makes the messages of the commits of a merge.
type texts struct {
	project, source tree.Project
	request         Request
	acceptance      Acceptance
}

// expand fills in the template of the project, or else the usual one.
func (t texts) expand(ctx context.Context, st *db.Store, own *string, usual string) (string, error) {
	template := usual
	if own != nil && strings.TrimSpace(*own) != "" {
		template = *own
	}
	values, err := t.values(ctx, st, template)
	if err != nil {
		return "", err
	}
	return expand(template, func(name string) (string, bool) {
		text, known := values[name]
		return text, known
	}), nil
}

// values returns the values of the variables that a template has (more §6.2). What needs queries is
// read if it is used.
func (t texts) values(ctx context.Context, st *db.Store, template string) (map[string]string, error) {
	r := t.request
	values := map[string]string{
		"source_branch": r.SourceBranch, "target_branch": r.TargetBranch, "title": r.Title,
		"description": db.OrZero(r.Description), "reference": r.ReferenceFrom(""),
		"local_reference":   fmt.Sprintf("!%d", r.IID),
		"source_project_id": strconv.FormatInt(t.source.ID, 10),
		"url":               fmt.Sprintf("%s/%s/-/merge_requests/%d", t.acceptance.Base, r.Path, r.IID),
		"merged_by":         signature(t.acceptance.By.User.Name, t.acceptance.By.User.Email),
	}
	var err error
	if usesAny(template, "issues") {
		if values["issues"], err = t.issues(ctx, st); err != nil {
			return nil, err
		}
	}
	if err := t.people(ctx, st, template, values); err != nil {
		return nil, err
	}
	if usesAny(template, "first_commit", "first_multiline_commit", "first_multiline_commit_description",
		"all_commits", "co_authored_by") {
		return values, t.commits(ctx, st, values)
	}
	return values, nil
}

// issues lists the issues that the merge closes.
func (t texts) issues(ctx context.Context, st *db.Store) (string, error) {
	r := t.request
	if r.TargetBranch != t.project.Head {
		return "", nil
	}
	at := work.Place{Base: t.acceptance.Base, Path: t.project.FullPath}
	refs, err := closingReferences(ctx, st, t.project, r)
	if err != nil {
		return "", err
	}
	list, err := t.acceptance.Viewer.ReferredIssues(ctx, st, at, refs)
	var references []string
	for _, i := range list {
		references = append(references, i.ReferenceFrom(t.project.FullPath))
	}
	return closingList(references), err
}

// signature returns a name with an address, as trailers of commits have them.
func signature(name, email string) string { return fmt.Sprintf("%s <%s>", name, email) }

// people sets the variables of people beside the commits.
func (t texts) people(ctx context.Context, st *db.Store, template string, values map[string]string) error {
	for name, q := range map[string]struct{ trailer, users string }{
		"reviewed_by": {"Reviewed-by", `select o.author_id from notes o
			where o.merge_request_id = @request and not o.system and o.author_id is distinct from @author`},
		"approved_by": {"Approved-by", `select a.user_id from merge_request_approvals a
			where a.merge_request_id = @request`},
		"merge_request_author": {"", `select @author::bigint`},
	} {
		if !usesAny(template, name) {
			continue
		}
		type person struct {
			Name  string `db:"name"`
			Email string `db:"email"`
		}
		list, err := db.Many[person](ctx, st, `
			select u.name, u.email from users u where u.id in (`+q.users+`) order by u.id limit 100`,
			pgx.NamedArgs{"request": t.request.ID, "author": t.request.AuthorID})
		if err != nil {
			return err
		}
		var lines []string
		for _, p := range list {
			line := signature(p.Name, p.Email)
			if q.trailer != "" {
				line = q.trailer + ": " + line
			}
			lines = append(lines, line)
		}
		values[name] = strings.Join(lines, "\n")
	}
	return nil
}

// commits sets the variables of the commits that are merged, at most the newest hundred.
func (t texts) commits(ctx context.Context, st *db.Store, values map[string]string) error {
	g, err := code.Open(ctx, st, t.project)
	if err != nil {
		return err
	}
	list, err := g.Log(ctx, code.LogFilter{
		From: []object.ID{t.request.Head}, Not: []object.ID{t.request.Base}, Limit: maxListedCommits, Topo: true,
	})
	if err != nil {
		return err
	}
	slices.Reverse(list) // oldest first
	author := ""
	if t.request.AuthorID != nil {
		u, err := tree.FindUser(ctx, st, *t.request.AuthorID)
		if err != nil {
			return err
		}
		author = u.Email
	}
	values["first_multiline_commit"], values["first_multiline_commit_description"] = t.request.Title, ""
	var all, others []string
	for n, c := range list {
		message := strings.TrimSpace(c.Message)
		title, body, _ := strings.Cut(message, "\n")
		body = strings.TrimSpace(body)
		if n == 0 {
			values["first_commit"] = message
		}
		if body != "" && values["first_multiline_commit"] == t.request.Title {
			values["first_multiline_commit"], values["first_multiline_commit_description"] = message, body
		}
		if len(body) > maxListedBody {
			message = title + "\n\n-- Skipped commit body exceeding 100KiB in size."
		}
		all = append(all, "* "+message)
		co := "Co-authored-by: " + signature(c.AuthorName, c.AuthorEmail)
		if !strings.EqualFold(c.AuthorEmail, author) && !slices.Contains(others, co) {
			others = append(others, co)
		}
	}
	values["all_commits"], values["co_authored_by"] = strings.Join(all, "\n\n"), strings.Join(others, "\n")
	return nil
}

package merge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/markdown"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// referrer keeps what the texts of merge requests refer to.
type referrer struct{ base string }

// changed keeps which issues the title and the description of a merge request refer to, and notes
// down there that it mentions them.
func (m referrer) changed(ctx context.Context, st *db.Store, e Changed) error {
	text, before := textsOf(e.Request), textsOf(e.Before)
	if text == before && e.Request.TargetBranch == e.Before.TargetBranch && e.Request.Head == e.Before.Head {
		return nil
	}
	if err := m.storeIssues(ctx, st, e, text); err != nil || text == before {
		return err
	}
	return work.Mention(ctx, st, m.base, work.SourceRequest(e.Request.Target(), e.Request.Path), e.By, text)
}

// textsOf returns the texts of a merge request that can refer to something.
func textsOf(r Request) string { return r.Title + "\n\n" + db.OrZero(r.Description) }

// maxClosing limits the commits of a merge request that are read for issues that they close.
const maxClosing = 100

// closingReferences returns the issues that a merge request of a project says its merge closes: in
// its texts, and in the messages of its newest commits (more §6.2).
func closingReferences(
	ctx context.Context, st *db.Store, p tree.Project, r Request,
) ([]markdown.Reference, error) {
	refs := markdown.ClosingReferences(textsOf(r))
	if r.Head.IsZero() {
		return refs, nil
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	commits, err := g.Log(ctx, code.LogFilter{
		From: []object.ID{r.Head}, Not: []object.ID{r.Start}, Limit: maxClosing, Topo: true,
	})
	for _, c := range slices.Backward(commits) { // oldest first
		refs = append(refs, markdown.ClosingReferences(c.Message)...)
	}
	return refs, err
}

// storeIssues writes which issues the texts of a merge request refer to, and which issues its merge
// closes: none if it is not for the default branch. It counts what the user sees who changed the
// merge request, or else its author.
func (m referrer) storeIssues(ctx context.Context, st *db.Store, e Changed, text string) (err error) {
	by := e.By
	if by.ID == 0 && e.Request.AuthorID != nil { // a deploy key has pushed
		if by, err = tree.FindUser(ctx, st, *e.Request.AuthorID); err != nil {
			return err
		}
	}
	at, v := work.Place{Base: m.base, Path: e.Project.FullPath}, work.ViewerOf(by)
	all, err := v.ReferredIssues(ctx, st, at, markdown.References(text))
	if err != nil {
		return err
	}
	var closed []work.Issue
	if e.Request.TargetBranch == e.Project.Head && e.Project.Settings.AutocloseReferencedIssues {
		refs, err := closingReferences(ctx, st, e.Project, e.Request)
		if err != nil {
			return err
		}
		if closed, err = v.ReferredIssues(ctx, st, at, refs); err != nil {
			return err
		}
	}
	ids, closing := []int64{}, []int64{}
	for _, i := range all {
		ids = append(ids, i.ID)
	}
	for _, i := range closed {
		closing = append(closing, i.ID)
	}
	args := pgx.NamedArgs{"request": e.Request.ID, "issues": append(ids, closing...), "closing": closing}
	if err := st.Exec(ctx, `
		delete from merge_request_issues where merge_request_id = @request and issue_id <> all(@issues::bigint[])`,
		args); err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into merge_request_issues (merge_request_id, issue_id, closes)
		select distinct @request::bigint, i, i = any(@closing::bigint[]) from unnest(@issues::bigint[]) i
		on conflict on constraint merge_request_issues_pkey do update set closes = excluded.closes`, args)
}

// mentioned notes down on the merge requests that a text mentions, and its author sees, that it
// does.
func mentioned(ctx context.Context, st *db.Store, e work.Mentions) error {
	list, err := Referred(ctx, st, work.ViewerOf(e.By), e.Requests)
	if err != nil {
		return err
	}
	// in one order, so that two texts that mention the same do not wait for each other
	slices.SortFunc(list, func(a, b Request) int { return cmp.Compare(a.ID, b.ID) })
	for _, r := range list {
		if e.From.Kind == note.MergeRequest && r.ID == e.From.ID {
			continue
		}
		if err := note.AddMention(ctx, st, r.Target(), e.From.Target, e.By.ID, e.From.In(r.Path)); err != nil {
			return err
		}
	}
	return nil
}

// Referred returns the merge requests that references name and the viewer sees, each once, in the
// order of the references.
func Referred(ctx context.Context, s *db.Store, v work.Viewer, refs []work.Numbered) ([]Request, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	w := db.NewWhere(v.Args())
	w.And(v.SeesMergeRequests())
	found, err := work.FindNumbered[Request](ctx, s, refs, selectRequests, w)
	return work.InOrder(found, refs, func(r Request) work.Numbered {
		return work.Numbered{Path: strings.ToLower(r.Path), IID: r.IID}
	}), err
}

// IssuesOf returns the ids of the issues that a merge request refers to or, with closing, that its
// merge closes. Whether a caller sees them is left to [work.Viewer].
func IssuesOf(ctx context.Context, s *db.Store, r Request, closing bool) ([]int64, error) {
	return db.Values[int64](ctx, s, `
		select i.issue_id from merge_request_issues i where i.merge_request_id = @request and (i.closes or not @closing)
		order by 1`, pgx.NamedArgs{"request": r.ID, "closing": closing})
}

package work

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/markdown"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/tree"
)

// maxPushed is how many commits of a push are read for references; the newest count.
const maxPushed = 100

// pushed notes down which issues the commits mention that come to the default branch, and closes
// those that they say they close.
func (m mentioner) pushed(ctx context.Context, st *db.Store, e code.Pushed) error {
	if e.By.User.ID == 0 { // a deploy key sees no issues
		return nil
	}
	for _, c := range e.Changes {
		if c.Ref != code.Heads+e.Project.Head || c.Target.IsZero() {
			continue
		}
		commits, err := arrived(ctx, e, c)
		if err != nil {
			return err
		}
		for _, commit := range commits {
			if err := m.committed(ctx, st, e, commit); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrived returns the commits that a push brings to a branch, oldest first: those that are new to
// the repository, and those that it has from other branches.
func arrived(ctx context.Context, e code.Pushed, c code.Change) ([]code.Commit, error) {
	fresh := e.NewCommits(c)
	commits, err := e.Git.Commits(ctx, fresh[max(0, len(fresh)-maxPushed):])
	if err != nil || len(commits) == maxPushed || c.Before.IsZero() {
		return commits, err
	}
	known := code.LogFilter{Not: []object.ID{c.Before}, Limit: maxPushed - len(commits), Topo: true}
	if len(fresh) == 0 {
		known.From = []object.ID{c.Target}
	}
	for _, commit := range commits {
		for _, parent := range commit.Parents {
			if !slices.Contains(fresh, parent) {
				known.From = append(known.From, parent)
			}
		}
	}
	before, err := e.Git.Log(ctx, known)
	slices.Reverse(before)
	return append(before, commits...), err
}

// committed does what the message of a commit says.
func (m mentioner) committed(ctx context.Context, st *db.Store, e code.Pushed, c code.Commit) error {
	if !strings.ContainsAny(c.Message, "#!/") {
		return nil // refers to nothing
	}
	from := sourceCommit(e.Git.CommitTarget(c), e.Project.FullPath)
	if err := m.mention(ctx, st, from, e.By.User, c.Message); err != nil {
		return err
	}
	if !e.Project.Settings.AutocloseReferencedIssues {
		return nil
	}
	at := Place{Base: m.base, Path: e.Project.FullPath}
	list, err := ViewerOf(e.By.User).ReferredIssues(ctx, st, at, markdown.ClosingReferences(c.Message))
	if err != nil {
		return err
	}
	for _, i := range list {
		if err := closeByCommit(ctx, st, e, i, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// CloseReferred closes an issue that a commit or merge request of a project says it closes, if the
// user may close it, and reports whether it did. Issues of the project that this one was forked
// from stay open.
func CloseReferred(
	ctx context.Context, st *db.Store, from tree.Project, by tree.User, i Issue,
) (changed bool, err error) {
	if i.State == Closed || from.ForkedFromID != nil && *from.ForkedFromID == i.ProjectID {
		return false, nil
	}
	p, err := tree.FindProject(ctx, st, i.ProjectID)
	if err != nil || p.Archived || p.MarkedForDeletionOn != nil {
		return false, err
	}
	standings, err := tree.Standings(ctx, st, p.Container(), []int64{by.ID})
	s := standings[by.ID]
	involved := i.IsAuthor(by.ID) || slices.Contains(i.AssigneeIDs, by.ID)
	if err != nil || !s.Admin && s.Level < int(policy.Planner) && !involved {
		return false, err
	}
	_, err = ChangeIssue(ctx, st, p, by, db.ByID(i.ID), func(_ *db.Store, i *Issue) error {
		changed, i.State = i.State != Closed, Closed
		return nil
	})
	return changed, err
}

// closeByCommit closes an issue that a commit says it closes.
func closeByCommit(ctx context.Context, st *db.Store, e code.Pushed, i Issue, commit object.ID) error {
	changed, err := CloseReferred(ctx, st, e.Project, e.By.User, i)
	if err != nil || !changed {
		return err
	}
	return st.Exec(ctx, `
		update resource_events set commit_oid = @commit
		where id = (select max(id) from resource_events where issue_id = @issue and field = 'state')`,
		pgx.NamedArgs{"commit": commit[:], "issue": i.ID})
}

// NoteClosingRequest keeps that the merge of a request closed issues: those that it closed itself,
// and those of the others that a commit of it closed on the way to the branch.
func NoteClosingRequest(ctx context.Context, st *db.Store, requestID int64, closed, others []int64) error {
	return st.Exec(ctx, `
		update resource_events e set source_request_id = @request, commit_oid = null
		from (
			select max(s.id) as id from resource_events s
			where s.issue_id = any(@closed::bigint[] || @others::bigint[]) and s.field = 'state' group by s.issue_id) last
		where e.id = last.id and e.action = 'closed' and (e.issue_id = any(@closed) or exists (
			select from merge_request_commits c where c.merge_request_id = @request and c.commit_oid = e.commit_oid))`,
		pgx.NamedArgs{"request": requestID, "closed": closed, "others": others})
}

// sourceCommit returns a commit of a project with a path as what mentions issues.
func sourceCommit(on note.Target, path string) Source {
	return Source{on, path, "commit ", hex.EncodeToString(on.OID)[:8]}
}

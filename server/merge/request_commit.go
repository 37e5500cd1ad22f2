package merge

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
)

// Which merge requests a commit is in is asked of the table merge_request_commits: a walk through
// the commits of each would not end in a project with many.

// storeCommits keeps the commits that a version of a merge request brings, code.MaxCounted at most,
// in place of those of the version before.
func (v Version) storeCommits(ctx context.Context, st *db.Store, g *code.Git, r Request) error {
	ids, err := g.IDsBetween(ctx, v.Start, v.Head, code.MaxCounted)
	if err != nil {
		return err
	}
	commits := make([][]byte, len(ids))
	for n := range ids {
		commits[n] = ids[n][:]
	}
	args := pgx.NamedArgs{"request": r.ID, "commits": commits}
	if err := st.Exec(ctx, `
		delete from merge_request_commits t where t.merge_request_id = @request
			and not exists (select from unnest(@commits::bytea[]) c where c = t.commit_oid)`, args); err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into merge_request_commits (merge_request_id, commit_oid)
		select @request::bigint, c from unnest(@commits::bytea[]) c
		on conflict on constraint merge_request_commits_pkey do nothing`, args)
}

// storeMerged keeps the commits that the merge of a request made.
func storeMerged(ctx context.Context, st *db.Store, r Request) error {
	var commits [][]byte
	for _, id := range []object.ID{r.MergeCommit, r.SquashCommit, r.MergedHead} {
		if !id.IsZero() {
			commits = append(commits, id[:])
		}
	}
	return st.Exec(ctx, `
		insert into merge_request_commits (merge_request_id, commit_oid)
		select distinct @request::bigint, c from unnest(@commits::bytea[]) c
		on conflict on constraint merge_request_commits_pkey do nothing`,
		pgx.NamedArgs{"request": r.ID, "commits": commits})
}

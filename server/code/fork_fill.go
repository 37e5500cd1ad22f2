package code

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/protect"
	"hew/server/tree"
)

// fill makes the content the repository of a fork, in the transaction that creates the project. It
// returns errExchanged if the parent has changed its packs since they were read.
func (f *forkContent) fill(ctx context.Context, st *db.Store, p tree.Project) error {
	// Packs that the parent links until the commit cannot be removed: no job may exchange them.
	parent, err := db.One[Repository](ctx, st, "Project", `select * from repositories where id = @id for share`,
		pgx.NamedArgs{"id": f.ID})
	if err != nil {
		return err
	}
	if parent.GCEpoch != f.GCEpoch {
		return errExchanged
	}
	r, err := holdRepository(ctx, st, SourceOf(p))
	if err != nil {
		return err
	}
	if f.pack != nil {
		err = f.pack.link(ctx, st, r.ID, nil)
	} else {
		err = f.shareObjects(ctx, st, r.ID)
	}
	if err != nil {
		return err
	}
	if err := f.copyCommits(ctx, st, r.ID); err != nil {
		return err
	}
	if err := f.copyRefs(ctx, st, r.ID); err != nil {
		return err
	}
	if err := f.chooseHead(ctx, st, p); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, Housekeeping{RepositoryID: r.ID})
}

// shareObjects links the packs of the parent, and copies its rows of objects.
func (f *forkContent) shareObjects(ctx context.Context, st *db.Store, to int64) error {
	ids := make([]int64, len(f.packs))
	for i, p := range f.packs {
		ids[i] = p.ID
	}
	args := pgx.NamedArgs{"from": f.ID, "to": to, "packs": ids, "oids": rawIDs(f.loose)}
	n, err := st.Affected(ctx, `
		insert into repository_packs (repository_id, pack_id)
		select @to, l.pack_id from repository_packs l where l.repository_id = @from and l.pack_id = any(@packs)`, args)
	if err == nil && n != int64(len(ids)) {
		return errExchanged
	}
	if err != nil {
		return err
	}
	n, err = st.Affected(ctx, `
		insert into loose_objects (repository_id, oid, kind, size, body)
		select @to, l.oid, l.kind, l.size, l.body from loose_objects l
		where l.repository_id = @from and l.oid = any(@oids)`, args)
	if err == nil && n != int64(len(f.loose)) {
		return errExchanged
	}
	return err
}

// copyCommits copies the rows of the commits, parents first, and of what they change.
func (f *forkContent) copyCommits(ctx context.Context, st *db.Store, to int64) error {
	args := pgx.NamedArgs{"from": f.ID, "to": to, "oids": rawIDs(f.commits)}
	n, err := st.Affected(ctx, `
		insert into commits (repository_id, oid, tree, parents, author_name, author_email, authored_at, authored_zone,
		    committer_name, committer_email, committed_at, committed_zone, message)
		select @to, c.oid, c.tree, c.parents, c.author_name, c.author_email, c.authored_at, c.authored_zone,
		    c.committer_name, c.committer_email, c.committed_at, c.committed_zone, c.message
		from commits c where c.repository_id = @from and c.oid = any(@oids) order by c.id`, args)
	if err == nil && n != int64(len(f.commits)) {
		return errExchanged
	}
	if err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into commit_paths (repository_id, path, commit_id, differs)
		select @to, p.path, c.id, p.differs
		from commit_paths p join commits o on o.id = p.commit_id
		     join commits c on c.repository_id = @to and c.oid = o.oid
		where p.repository_id = @from`, args)
}

// copyRefs makes the refs as they were read.
func (f *forkContent) copyRefs(ctx context.Context, st *db.Store, to int64) error {
	var names []string
	var ids, peeled [][]byte
	for _, r := range f.refs {
		names, ids, peeled = append(names, r.Name), append(ids, rawID(r.ID)), append(peeled, rawID(r.Peeled))
	}
	return st.Exec(ctx, `
		insert into refs (repository_id, name, oid, peeled)
		select @to, r.name, r.oid, nullif(r.peeled, '')
		from unnest(@names::text[], @ids::bytea[], @peeled::bytea[]) r (name, oid, peeled)`,
		pgx.NamedArgs{"to": to, "names": names, "ids": ids, "peeled": peeled})
}

// chooseHead gives the fork the default branch of its parent or, if it does not get that, its first
// one, and protects it.
func (f *forkContent) chooseHead(ctx context.Context, st *db.Store, p tree.Project) error {
	var names []string
	for _, r := range f.refs {
		names = append(names, r.Name)
	}
	return beginWith(ctx, st, p, names, f.Head)
}

// beginWith gives a project with its first refs the default branch that is wanted most and is one
// of them, else the first one, and protects it.
func beginWith(ctx context.Context, st *db.Store, p tree.Project, refs []string, wanted ...string) error {
	head := chooseBranch(refs, wanted...)
	if head == "" {
		return nil
	}
	if err := tree.SetDefaultBranch(ctx, st, p.ID, head); err != nil {
		return err
	}
	protection, err := protect.ReadDefaultProtection(ctx, st, p)
	if err != nil {
		return err
	}
	return protection.Apply(ctx, st, p, head)
}

// chooseBranch returns the branch of the refs that is wanted most, else the first one, "" if there
// is none.
func chooseBranch(refs []string, wanted ...string) string {
	var branches []string
	for _, ref := range refs {
		if kind, name := kindOf(ref); kind == protect.Branch {
			branches = append(branches, name)
		}
	}
	if len(branches) == 0 {
		return ""
	}
	head := branches[0]
	for _, name := range slices.Backward(wanted) {
		if slices.Contains(branches, name) {
			head = name
		}
	}
	return head
}

package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pack"
	"hew/server/jobs"
	"hew/server/tree"
)

const (
	// maxLoose is the number of rows of objects above which a repository is repacked: git would
	// slow down, and rows are not deltas.
	maxLoose = 500
	// upkeepEvery is how often repositories are looked at that have changed.
	upkeepEvery = 10 * time.Minute
)

// Housekeeping asks for the upkeep of one repository: its rows of objects become a pack, and it is
// measured.
type Housekeeping struct {
	RepositoryID int64 `json:"repository_id"`
}

// Kind implements jobs.Args.
func (Housekeeping) Kind() string { return "housekeep_repository" }

// upkeep asks for the repositories that need Housekeeping.
type upkeep struct{}

// Kind implements jobs.Args.
func (upkeep) Kind() string { return "housekeep_repositories" }

// Jobs are the jobs of the domain.
var Jobs = []jobs.Kind{jobs.On(housekeep), jobs.On(findUpkeep).Each(upkeepEvery)}

// findUpkeep asks for the upkeep of repositories with many rows, and of those that were pushed to
// since they were measured.
func findUpkeep(ctx context.Context, st *db.Store, _ upkeep) error {
	ids, err := db.Values[int64](ctx, st, `
		select r.id from repositories r left join projects p on p.id = r.project_id
		where p.last_activity_at >= r.updated_at - interval '2 minutes' -- it is noted once a minute
		   or r.namespace_id is not null and exists (
		         select from refs t where t.repository_id = r.id and t.updated_at >= r.updated_at - interval '2 minutes')
		   or (select count(*) from (
		         select from loose_objects l where l.repository_id = r.id limit @most + 1) l) > @most
		order by r.id`, pgx.NamedArgs{"most": maxLoose})
	if err != nil {
		return err
	}
	args := make([]jobs.Args, len(ids))
	for i, id := range ids {
		args[i] = Housekeeping{id}
	}
	return jobs.Enqueue(ctx, st, args...)
}

// housekeep repacks and measures a repository.
func housekeep(ctx context.Context, st *db.Store, args Housekeeping) error {
	ids, err := db.Values[object.ID](ctx, st, `
		select l.oid from loose_objects l where l.repository_id = @repository order by l.oid`,
		pgx.NamedArgs{"repository": args.RepositoryID})
	if err == nil && len(ids) > maxLoose {
		err = storageOf(st).packRows(ctx, st, args.RepositoryID, ids)
	}
	if err != nil {
		return fmt.Errorf("repack repository %d: %w", args.RepositoryID, err)
	}
	if err := fault.IgnoreNotFound(measure(ctx, st, args.RepositoryID)); err != nil {
		return fmt.Errorf("measure repository %d: %w", args.RepositoryID, err)
	}
	return nil
}

// packRows makes a pack of rows of objects, which it removes. No object is lost meanwhile, so that
// pushes need not wait.
func (s *Storage) packRows(ctx context.Context, st *db.Store, repository int64, ids []object.ID) (err error) {
	root, err := s.root()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(root, "repack-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var hash [20]byte
	name, err := writePack(dir, func(w io.Writer) (_ [20]byte, index []byte, err error) {
		hash, index, err = pack.Write(w, len(ids), looseRows(ctx, st, repository, ids))
		return hash, index, err
	})
	if err != nil {
		return err
	}
	info, err := os.Stat(name + ".pack")
	if err != nil {
		return err
	}
	return storePacked(ctx, st, repository, ids, storedFiles{name, hash, info.Size()})
}

// storedFiles are a pack and its index on disk.
type storedFiles struct {
	name string // without extension
	hash [20]byte
	size int64
}

// storePacked puts a pack into the database in place of the rows that are in it.
func storePacked(ctx context.Context, st *db.Store, repository int64, ids []object.ID, f storedFiles) error {
	refs := map[string]blob.Ref{}
	for _, ext := range []string{".pack", ".idx"} {
		ref, err := putFile(ctx, st, f.name+ext)
		if err != nil {
			return err
		}
		refs[ext] = ref
	}
	return st.Tx(ctx, func(st *db.Store) error {
		if err := linkPack(ctx, st, repository, pgx.NamedArgs{"hash": f.hash[:], "objects": len(ids), "size": f.size,
			"pack": refs[".pack"].ID, "index": refs[".idx"].ID}); err != nil {
			return err
		}
		return st.Exec(ctx, `delete from loose_objects where repository_id = @repository and oid = any(@oids)`,
			pgx.NamedArgs{"repository": repository, "oids": rawIDs(ids)})
	})
}

// linkPack adds a pack to a repository.
func linkPack(ctx context.Context, st *db.Store, repository int64, columns pgx.NamedArgs) error {
	columns["repository"] = repository
	return st.Exec(ctx, `
		with stored as (
			insert into packs (hash, objects, size, pack, index) values (@hash, @objects, @size, @pack, @index)
			returning id)
		insert into repository_packs (repository_id, pack_id) select @repository, id from stored`, columns)
}

// measure counts the bytes of a repository and, of code, the commits of its default branch, and
// stores both.
func measure(ctx context.Context, st *db.Store, id int64) error {
	r, err := db.One[Repository](ctx, st, "Repository", `select * from repositories where id = @id`,
		pgx.NamedArgs{"id": id})
	if err != nil {
		return err
	}
	commits := 0
	if r.Kind == Source {
		if commits, err = countCommits(ctx, st, r); err != nil {
			return err
		}
	}
	return st.Exec(ctx, `
		with measured as (
			update repositories set updated_at = @now, size =
			  (select coalesce(sum(p.size), 0) from repository_packs l join packs p on p.id = l.pack_id
			   where l.repository_id = @id) +
			  (select coalesce(sum(octet_length(l.body)), 0) from loose_objects l where l.repository_id = @id)
			where id = @id returning project_id, kind, size)
		update projects p set commit_count = case when m.kind = 'project' then @commits else p.commit_count end,
		       repository_size = case when m.kind = 'project' then m.size else p.repository_size end,
		       wiki_size = case when m.kind = 'wiki' then m.size else p.wiki_size end
		from measured m where p.id = m.project_id`,
		pgx.NamedArgs{"id": id, "commits": commits, "now": time.Now()})
}

// countCommits counts the commits of the default branch of a project.
func countCommits(ctx context.Context, st *db.Store, r Repository) (int, error) {
	p, err := tree.FindProject(ctx, st, *r.ProjectID)
	if err != nil {
		return 0, err
	}
	g := &Git{Repository: r, Head: p.Head, st: st, storage: storageOf(st)}
	head, err := g.FindRef(ctx, st, "Branch", Heads+g.Head)
	if err = fault.IgnoreNotFound(err); err != nil || head.ID.IsZero() {
		return 0, err
	}
	return g.Count(ctx, head.ID, false)
}

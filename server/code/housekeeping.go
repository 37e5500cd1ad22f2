package code

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/graph"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/tree"
)

const (
	// maxLoose is the number of rows of objects above which a repository is repacked: git would
	// slow down, and rows are not deltas.
	maxLoose = 500
	// upkeepEvery is how often repositories are looked at that have changed.
	upkeepEvery = 10 * time.Minute
	// collectEvery is how often garbage is collected at most, unless somebody asks for it.
	collectEvery = 24 * time.Hour
	// housekeepTime limits the upkeep of one repository.
	housekeepTime = 2 * time.Hour
)

// Task is what is asked of Housekeeping.
type Task string

// The tasks (gaps §4.2).
const (
	Upkeep Task = ""      // what is needed
	Eager  Task = "eager" // collect garbage, whether needed or not
	Prune  Task = "prune" // and keep none of it for later
)

// Housekeeping asks for the upkeep of one repository: rows of objects become a pack, small packs
// become a large one, garbage is collected, and the repository is measured.
type Housekeeping struct {
	jobs.Sole
	RepositoryID int64 `json:"repository_id"`
	Task         Task  `json:"task,omitempty"`
}

// Kind implements jobs.Args.
func (Housekeeping) Kind() string { return "housekeep_repository" }

// upkeep asks for the repositories that need Housekeeping.
type upkeep struct{}

// Kind implements jobs.Args.
func (upkeep) Kind() string { return "housekeep_repositories" }

// Jobs returns the jobs of the domain. Repositories to be imported are read through out.
func Jobs(out *outbound.Guard) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(housekeep).Lasting(housekeepTime).Watched(), jobs.On(findUpkeep).Each(upkeepEvery),
		jobs.On(importer{out}.work).Lasting(importTime), jobs.On(resumeImports).Each(time.Minute).AtStart(),
	}
}

// findUpkeep asks for the upkeep of repositories with many rows, of those that were pushed to since
// they were measured, and of those with garbage whose time is over. It also removes packs that the
// last repository has left.
func findUpkeep(ctx context.Context, st *db.Store, _ upkeep) error {
	ids, err := db.Values[int64](ctx, st, `
		select r.id from repositories r left join projects p on p.id = r.project_id
		where p.last_activity_at >= r.updated_at - interval '2 minutes' -- it is noted once a minute
		   or r.project_id is null and exists (
		         select from refs t where t.repository_id = r.id and t.updated_at >= r.updated_at - interval '2 minutes')
		   or (select count(*) from (
		         select from loose_objects l where l.repository_id = r.id limit @most + 1) l) > @most
		   or exists (select from repository_packs l where l.repository_id = r.id and l.unreachable_since < @expired)
		order by r.id`, pgx.NamedArgs{"most": maxLoose, "expired": time.Now().Add(-garbageGrace)})
	if err != nil {
		return err
	}
	args := make([]jobs.Args, len(ids))
	for i, id := range ids {
		args[i] = Housekeeping{RepositoryID: id}
	}
	if err := jobs.Enqueue(ctx, st, args...); err != nil {
		return err
	}
	return removeUnlinkedPacks(ctx, st)
}

// removeUnlinkedPacks removes packs that no repository links. Their content goes when blobs are
// swept. No pack gets a link after it has lost its last one.
func removeUnlinkedPacks(ctx context.Context, st *db.Store) error {
	return st.Exec(ctx, `
		delete from packs p where not exists (select from repository_packs l where l.pack_id = p.id)`, nil)
}

// housekeep does the upkeep of a repository. Several that run at once do no harm: each sees in its
// last step that what it has read was exchanged, and leaves it at that.
func housekeep(ctx context.Context, st *db.Store, args Housekeeping) error {
	s, id := storageOf(st), args.RepositoryID
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"pack the rows of", func() error { return s.packLooseRows(ctx, st, id) }},
		{"collect the garbage of", func() error { return s.collectIfDue(ctx, st, id, args.Task) }},
		{"join the packs of", func() error { return s.joinPacks(ctx, st, id) }},
		{"measure", func() error { return measure(ctx, st, id) }},
	} {
		if err := fault.IgnoreNotFound(step.do()); err != nil {
			return fmt.Errorf("%s repository %d: %w", step.name, id, err)
		}
	}
	return nil
}

// loadRepository returns the repository with an id, opened on the pool.
func loadRepository(ctx context.Context, st *db.Store, id int64) (*Git, error) {
	r, err := db.One[Repository](ctx, st, "Repository", `select * from repositories where id = @id`,
		pgx.NamedArgs{"id": id})
	if err != nil {
		return nil, err
	}
	at := Place{Container: r.Container, Kind: r.Kind, snippet: r.SnippetID}
	switch {
	case r.ProjectID != nil:
		if at.Project, err = tree.FindProject(ctx, st, *r.ProjectID); err != nil {
			return nil, err
		}
		at.space = at.Project.NamespaceID
	case r.NamespaceID != nil:
		at.space = *r.NamespaceID
	}
	return at.open(ctx, st, r)
}

// collectIfDue collects garbage if a task asks for it or, once a day at most, if there is some that
// was not there last time, or whose time is over.
func (s *Storage) collectIfDue(ctx context.Context, st *db.Store, id int64, task Task) error {
	switch task {
	case Prune:
		return s.collect(ctx, st, id, 0)
	case Eager:
		return s.collect(ctx, st, id, garbageGrace)
	}
	g, err := loadRepository(ctx, st, id)
	if err != nil || g.Collected != nil && time.Since(*g.Collected) < collectEvery {
		return err
	}
	unreachable, err := g.countUnreachable(ctx)
	if err != nil {
		return err
	}
	expired, err := db.Value[bool](ctx, st, `
		select exists (select from repository_packs where repository_id = @id and unreachable_since < @expired)`,
		pgx.NamedArgs{"id": id, "expired": time.Now().Add(-garbageGrace)})
	if err != nil || unreachable == g.Garbage && !expired {
		return err
	}
	return s.collect(ctx, st, id, garbageGrace)
}

// countUnreachable returns how many commits no ref reaches.
func (g *Git) countUnreachable(ctx context.Context) (int, error) {
	h, err := g.History(ctx)
	if err != nil {
		return 0, err
	}
	refs, err := g.Refs(ctx, g.st)
	if err != nil {
		return 0, err
	}
	n := h.Len()
	for range h.Log(commitsOf(refs), graph.Options{}) {
		n--
	}
	return n, nil
}

func commitsOf(refs []Ref) []object.ID {
	ids := make([]object.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.Commit()
	}
	return ids
}

// measure counts the bytes of a repository and the commits of its default branch, and stores both.
func measure(ctx context.Context, st *db.Store, id int64) error {
	g, err := loadRepository(ctx, st, id)
	if err != nil {
		return err
	}
	commits := 0
	head, err := g.FindRef(ctx, st, "Branch", Heads+g.Head)
	if err = fault.IgnoreNotFound(err); err == nil && !head.ID.IsZero() {
		commits, err = g.Count(ctx, head.ID, false)
	}
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		// The project is locked before its repository, as by all others.
		if err := st.Exec(ctx, `select from projects where id = @project for no key update`,
			pgx.NamedArgs{"project": g.ProjectID}); err != nil {
			return err
		}
		return storeMeasure(ctx, st, id, commits)
	})
}

// storeMeasure counts the bytes of a repository, and stores them and the commits of its default
// branch.
func storeMeasure(ctx context.Context, st *db.Store, id int64, commits int) error {
	return st.Exec(ctx, `
		with measured as (
			update repositories set updated_at = @now, size = (`+repositoryBytes+`)
			where id = @repository returning project_id, snippet_id, kind, size),
		of_snippet as (update snippets s set size = m.size from measured m where s.id = m.snippet_id)
		update projects p set commit_count = case when m.kind = 'project' then @commits else p.commit_count end,
		       repository_size = case when m.kind = 'project' then m.size else p.repository_size end,
		       wiki_size = case when m.kind = 'wiki' then m.size else p.wiki_size end
		from measured m where p.id = m.project_id`,
		pgx.NamedArgs{"repository": id, "commits": commits, "now": time.Now()})
}

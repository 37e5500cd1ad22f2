package code

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/graph"
	"hew/server/git/object"
)

// sharedHistory is the graph of a repository that all requests of the process read.
type sharedHistory struct {
	epoch int64      // of the repository: commits are removed from rows, never from a graph
	asked time.Time  // when it was asked for last; guarded by Storage.mu
	mu    sync.Mutex // of loading
	graph *graph.Graph
	since int64           // commits of transactions before it are in the graph
	rows  map[int64]int32 // the numbers of commits in the graph, by the ids of their rows
}

// History is the graph of the commits of a repository.
type History struct {
	*graph.Graph
	shared *sharedHistory
}

// History returns the graph, with everything that was committed until now. Commits that the open
// transaction has written are not in it: all requests share it, and the transaction may be rolled
// back.
func (g *Git) History(ctx context.Context) (*History, error) {
	if g.history != nil {
		return g.history, nil
	}
	shared := g.storage.historyOf(g.Repository)
	if err := shared.load(ctx, g.st, g.ID); err != nil {
		return nil, err
	}
	g.history = &History{shared.graph, shared}
	return g.history, nil
}

// historyOf returns the graph of the latest epoch that a request has seen.
func (s *Storage) historyOf(r Repository) *sharedHistory {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.histories[r.ID]
	if h == nil || h.epoch < r.GCEpoch {
		h = &sharedHistory{epoch: r.GCEpoch, graph: graph.New(0), rows: map[int64]int32{}}
		s.histories[r.ID] = h
	}
	h.asked = time.Now()
	return h
}

// load adds the commits that were written since the last time.
func (h *sharedHistory) load(ctx context.Context, st *db.Store, repository int64) error {
	if repository == 0 {
		return nil
	}
	return st.Tx(ctx, func(st *db.Store) error { return h.read(ctx, st, repository) })
}

// read is load in a transaction. It has a connection before it waits for others, as all code must
// that reads under a lock of the process: one that waited for a connection under the lock, while
// those that have them all waited for the lock, would never end.
func (h *sharedHistory) read(ctx context.Context, st *db.Store, repository int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	since, err := oldestOpen(ctx, st)
	if err != nil {
		return err
	}
	rows, err := db.Many[struct {
		RowID       int64     `db:"id"`
		ID          object.ID `db:"oid"`
		Parents     Parents   `db:"parents"`
		CommittedAt time.Time `db:"committed_at"`
	}](ctx, st, `
		select c.id, c.oid, c.parents, c.committed_at from commits c
		where c.repository_id = @repository and c.written_by >= @since::bigint::text::xid8
			and c.written_by`+isForeign+` order by c.id`,
		pgx.NamedArgs{"repository": repository, "since": h.since})
	if err != nil {
		return err
	}
	for _, c := range rows {
		if err := h.graph.Add(graph.Commit{ID: c.ID, Parents: c.Parents, Committed: c.CommittedAt}); err != nil {
			return fmt.Errorf("graph of repository %d: %w", repository, err)
		}
		h.rows[c.RowID], _ = h.graph.Number(c.ID)
	}
	h.since = since
	return nil
}

// oldestOpen returns the id of the oldest transaction that was open: what all earlier ones wrote is
// visible now. See "What is new" in the package comment.
func oldestOpen(ctx context.Context, st *db.Store) (int64, error) {
	return db.Value[int64](ctx, st, `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint`, nil)
}

// Has reports whether the repository has a commit.
func (h *History) Has(id object.ID) bool {
	_, ok := h.Number(id)
	return ok
}

// ParentIDs returns the parents of a commit, and false if the commit is not there.
func (h *History) ParentIDs(id object.ID) ([]object.ID, bool) {
	n, ok := h.Number(id)
	if !ok {
		return nil, false
	}
	numbers := h.Parents(n)
	ids := make([]object.ID, len(numbers))
	for i, p := range numbers {
		ids[i] = h.ID(p)
	}
	return ids, true
}

// ids returns the ids of commits in a walk.
func (h *History) ids(walk iter.Seq[int32]) iter.Seq[object.ID] {
	return func(yield func(object.ID) bool) {
		for n := range walk {
			if !yield(h.ID(n)) {
				return
			}
		}
	}
}

// changesOf returns which commits change a path, and against which of their parents.
func (g *Git) changesOf(ctx context.Context, path string) (graph.Differs, error) {
	rows, err := db.Many[struct {
		CommitID int64 `db:"commit_id"`
		Differs  int32 `db:"differs"`
	}](ctx, g.st, `
		select p.commit_id, p.differs from commit_paths p where p.repository_id = @repository and p.path = @path`,
		pgx.NamedArgs{"repository": g.ID, "path": pathKey(path)})
	if err != nil {
		return nil, err
	}
	differs := make(map[int32]uint16, len(rows))
	g.history.shared.mu.Lock()
	defer g.history.shared.mu.Unlock()
	for _, r := range rows {
		if n, ok := g.history.shared.rows[r.CommitID]; ok {
			differs[n] = uint16(r.Differs)
		}
	}
	return func(n int32) (uint16, bool) {
		bits, ok := differs[n]
		return bits, ok
	}, nil
}

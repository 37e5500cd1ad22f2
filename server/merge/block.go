package merge

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/work"
)

// Block is a row of merge_request_blocks: a merge request waits until another one is merged (more
// §6.2).
type Block struct {
	ID         int64     `db:"id"`
	BlockingID int64     `db:"blocking_id"`
	BlockedID  int64     `db:"blocked_id"`
	CreatedAt  time.Time `db:"created_at"`
	UpdatedAt  time.Time `db:"updated_at"`
	ProjectID  int64     `db:"project_id"` // of the one that waits
}

// maxBlocks is how many merge requests one waits for, and how many wait for one.
const maxBlocks = 10

const selectBlocks = `
	select t.*, r.project_id from merge_request_blocks t join merge_requests r on r.id = t.blocked_id`

// BlocksOf returns what a merge request waits for, in the order in which that was said.
func BlocksOf(ctx context.Context, s *db.Store, r Request) ([]Block, error) {
	return db.Many[Block](ctx, s, selectBlocks+` where t.blocked_id = @id order by t.id`, pgx.NamedArgs{"id": r.ID})
}

// BlockeesOf returns what waits for a merge request, in the order in which that was said.
func BlockeesOf(ctx context.Context, s *db.Store, r Request) ([]Block, error) {
	return db.Many[Block](ctx, s, selectBlocks+` where t.blocking_id = @id order by t.id`, pgx.NamedArgs{"id": r.ID})
}

// FindBlock returns a block of a merge request that waits, or a not-found fault.
func FindBlock(ctx context.Context, s *db.Store, r Request, id int64) (Block, error) {
	return db.One[Block](ctx, s, "", selectBlocks+` where t.blocked_id = @request and t.id = @id`,
		pgx.NamedArgs{"request": r.ID, "id": id})
}

// AddBlock has a merge request wait for another one. It returns 409 if it does already, and 400 if
// it would wait for itself in the end, or if there are too many.
func AddBlock(ctx context.Context, st *db.Store, r Request, blocking int64) (b Block, err error) {
	if blocking == r.ID {
		return b, fault.Invalid("base", "This block is self-referential")
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		// two blocks at once must not make a cycle
		if err := st.Exclusively(ctx, "blocks of merge requests"); err != nil {
			return err
		}
		if err := st.Locked(ctx); err != nil {
			return err
		}
		if b, err = StoreBlock(ctx, st, r, blocking); err != nil {
			return err
		}
		return b.check(ctx, st)
	})
	return b, err
}

// StoreBlock is AddBlock for blocks that are known to be right, however many there are.
func StoreBlock(ctx context.Context, st *db.Store, r Request, blocking int64) (b Block, err error) {
	id, err := db.Value[int64](ctx, st, `
		insert into merge_request_blocks (blocking_id, blocked_id) values (@blocking, @blocked) returning id`,
		pgx.NamedArgs{"blocking": blocking, "blocked": r.ID})
	if err != nil {
		return b, err
	}
	return FindBlock(ctx, st, r, id)
}

// check returns a fault unless the block, which is stored, may be.
func (b Block) check(ctx context.Context, st *db.Store) error {
	state, err := db.One[struct {
		Blocks   int  `db:"blocks"`
		Blockees int  `db:"blockees"`
		Cycle    bool `db:"cycle"`
	}](ctx, st, "", `
		with recursive waited as (
			select b.blocking_id as id from merge_request_blocks b where b.blocked_id = @blocking
			union
			select b.blocking_id from merge_request_blocks b join waited w on b.blocked_id = w.id
		)
		select exists (select from waited where id = @blocked) as cycle,
			(select count(*) from merge_request_blocks where blocked_id = @blocked) as blocks,
			(select count(*) from merge_request_blocks where blocking_id = @blocking) as blockees`,
		pgx.NamedArgs{"blocking": b.BlockingID, "blocked": b.BlockedID})
	switch {
	case err != nil:
		return err
	case state.Cycle:
		return fault.Invalid("base", "This block is circular: the blocking merge request waits for this one")
	case state.Blocks > maxBlocks:
		return fault.Invalid("base", fmt.Sprintf("A merge request can be blocked by %d others at most", maxBlocks))
	case state.Blockees > maxBlocks:
		return fault.Invalid("base", fmt.Sprintf("A merge request can block %d others at most", maxBlocks))
	}
	return nil
}

// Delete deletes the block.
func (b Block) Delete(ctx context.Context, st *db.Store) error {
	return st.Exec(ctx, `delete from merge_request_blocks where id = @id`, pgx.NamedArgs{"id": b.ID})
}

// SeenByID returns those of the merge requests with ids that the viewer sees, by id.
func SeenByID(ctx context.Context, s *db.Store, v work.Viewer, ids []int64) (map[int64]Request, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	w := db.NewWhere(v.Args())
	w.And(v.SeesMergeRequests())
	w.And(`t.id = any(@ids)`, ids)
	list, err := db.Many[Request](ctx, s,
		selectRequests+` join namespaces n on n.id = p.namespace_id`+w.String(), w.Args)
	byID := make(map[int64]Request, len(list))
	for _, r := range list {
		byID[r.ID] = r
	}
	return byID, err
}

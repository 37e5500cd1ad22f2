package code

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
)

// exchange puts the new packs in the place of what the collection has read. Pushes wait for it, and
// check their objects again if any were removed.
func (c *collection) exchange(ctx context.Context, st *db.Store) error {
	r, err := db.One[Repository](ctx, st, "Repository", `select * from repositories where id = @id for update`,
		pgx.NamedArgs{"id": c.ID})
	if err != nil {
		return err
	}
	if r.GCEpoch != c.GCEpoch {
		return errExchanged
	}
	if err := c.checkUnused(ctx, st); err != nil {
		return err
	}
	var replaced []linkedPack
	for _, p := range c.packs {
		if !c.stay[p.ID] {
			replaced = append(replaced, p)
		}
	}
	if err := unlink(ctx, st, c.ID, replaced); err != nil {
		return err
	}
	if err := removeLoose(ctx, st, c.ID, c.loose); err != nil {
		return err
	}
	now := time.Now()
	for p, since := range map[*writtenPack]*time.Time{c.live: nil, c.garbage: &now} {
		if p == nil || p.Len() == 0 {
			continue
		}
		if err := p.files.link(ctx, st, c.ID, since); err != nil {
			return err
		}
	}
	if len(c.gone) == 0 {
		return nil
	}
	if err := c.removeCommits(ctx, st); err != nil {
		return err
	}
	return st.Exec(ctx, `update repositories set gc_epoch = gc_epoch + 1 where id = @id`, pgx.NamedArgs{"id": c.ID})
}

// checkUnused returns errExchanged if anything that came since the collection began reaches an
// object that is to be removed.
func (c *collection) checkUnused(ctx context.Context, st *db.Store) error {
	if len(c.gone) == 0 {
		return nil
	}
	tips, err := c.tipsSince(ctx, st)
	if err != nil || tips == nil {
		return err
	}
	if err := c.copy.fill(ctx, st); err != nil {
		return err
	}
	used := false
	seen := &idReader{each: func(id object.ID) {
		_, gone := c.gone[id]
		used = used || gone
	}}
	if err := c.storage.git.Run(ctx, exec.Command{
		Dir: c.copy.dir, Args: []string{"rev-list", "--objects", "--no-object-names", "--stdin"}, Stdin: tips,
		Stdout: seen, Timeout: receiveTimeout,
	}); err != nil {
		return err
	}
	if used {
		return errExchanged
	}
	return nil
}

// tipsSince returns the refs and commits that came since the collection began, for git rev-list;
// nil if there are none.
func (c *collection) tipsSince(ctx context.Context, st *db.Store) (*bytes.Buffer, error) {
	refs, err := c.Refs(ctx, st)
	if err != nil {
		return nil, err
	}
	ids, err := c.commitsSince(ctx, st)
	if err != nil {
		return nil, err
	}
	known := make(map[object.ID]bool, len(c.known))
	for _, id := range c.known {
		known[id] = true
	}
	ids = slices.DeleteFunc(ids, func(id object.ID) bool { return known[id] })
	was := make(map[object.ID]bool, len(c.refs))
	for _, r := range c.refs {
		was[r.ID] = true
	}
	for _, r := range refs {
		if !was[r.ID] {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var tips bytes.Buffer
	for _, id := range ids {
		fmt.Fprintln(&tips, id)
	}
	for id := range was {
		fmt.Fprintf(&tips, "^%s\n", id)
	}
	return &tips, nil
}

// commitsSince returns the commits that transactions wrote which were open when the collection
// began, in whichever database of the cluster, or which began later.
func (c *collection) commitsSince(ctx context.Context, st *db.Store) ([]object.ID, error) {
	return db.Values[object.ID](ctx, st, `
		select c.oid from commits c
		where c.repository_id = @repository and c.written_by >= @since::bigint::text::xid8`,
		pgx.NamedArgs{"repository": c.ID, "since": c.since})
}

// idReader reads lines with one id each.
type idReader struct {
	each func(object.ID)
	line []byte // the beginning of one that is not complete
}

// Write implements io.Writer.
func (f *idReader) Write(text []byte) (int, error) {
	n := len(text)
	for len(text) > 0 {
		line, rest, complete := bytes.Cut(text, []byte("\n"))
		f.line = append(f.line, line...)
		if !complete {
			break
		}
		if id, err := object.ParseID(string(f.line)); err == nil {
			f.each(id)
		}
		f.line, text = f.line[:0], rest
	}
	return n, nil
}

// removeCommits removes the rows of commits that are gone, and what they change.
func (c *collection) removeCommits(ctx context.Context, st *db.Store) error {
	h, err := c.History(ctx)
	if err != nil {
		return err
	}
	var oids [][]byte
	for id := range c.gone {
		if h.Has(id) {
			oids = append(oids, rawID(id))
		}
	}
	if len(oids) == 0 {
		return nil
	}
	ids, err := db.Values[int64](ctx, st, `
		delete from commits where repository_id = @repository and oid = any(@oids) returning id`,
		pgx.NamedArgs{"repository": c.ID, "oids": oids})
	if err != nil {
		return err
	}
	return st.Exec(ctx, `delete from commit_paths where repository_id = @repository and commit_id = any(@ids)`,
		pgx.NamedArgs{"repository": c.ID, "ids": ids})
}

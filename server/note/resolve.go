package note

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Resolved reports whether a thread is resolved: it has notes to be resolved, and all of them are.
func (d Discussion) Resolved() bool {
	resolved := false
	for _, n := range d.Notes {
		if n.Resolvable && n.ResolvedAt == nil {
			return false
		}
		resolved = resolved || n.Resolvable
	}
	return resolved
}

// Resolvable reports whether a thread can be resolved.
func (d Discussion) Resolvable() bool {
	for _, n := range d.Notes {
		if n.Resolvable {
			return true
		}
	}
	return false
}

// Resolve resolves threads of a target, or opens them again. When that leaves nothing to resolve, a
// system note says so (more §2, §2.4). What is so already stays as it is.
func Resolve(ctx context.Context, st *db.Store, on Target, by int64, resolved bool, threads ...string) error {
	return resolve(ctx, st, on, by, resolved, `t.discussion_id = any(@which)`, threads)
}

// ResolveNote resolves a note of a target alone, or opens it again.
func ResolveNote(ctx context.Context, st *db.Store, on Target, by int64, resolved bool, id int64) error {
	return resolve(ctx, st, on, by, resolved, `t.id = @which`, id)
}

func resolve(
	ctx context.Context, st *db.Store, on Target, by int64, resolved bool, which string, value any,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "notes of "+on.String()); err != nil {
			return err
		}
		w := db.NewWhere(pgx.NamedArgs{"which": value, "by": by})
		on.where(w)
		w.And(`t.resolvable`)
		w.And(which)
		set := `resolved_at = null, resolved_by_id = null`
		if resolved {
			set = `resolved_at = now(), resolved_by_id = @by`
		}
		w.AndIf(resolved, `t.resolved_at is null`)
		w.AndIf(!resolved, `t.resolved_at is not null`)
		changed, err := st.Affected(ctx, `update notes t set `+set+`, updated_at = now()`+w.String(), w.Args)
		if err != nil || changed == 0 || !resolved {
			return err
		}
		open, err := hasOpenThreads(ctx, st, on)
		if err != nil || open {
			return err
		}
		return AddSystem(ctx, st, on, by, "resolved all threads")
	})
}

// hasOpenThreads reports whether a target has notes that somebody has to resolve.
func hasOpenThreads(ctx context.Context, st *db.Store, on Target) (bool, error) {
	w := db.NewWhere(nil)
	on.where(w)
	w.And(`t.resolvable and t.resolved_at is null`)
	return db.Value[bool](ctx, st, `select exists (select from notes t`+w.String()+`)`, w.Args)
}

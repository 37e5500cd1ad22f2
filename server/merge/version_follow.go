package merge

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/git/object"
	"hew/server/note"
	"hew/server/tree"
)

// followVersion does what a new version of a merge request means for its notes: it notes the new
// commits down, moves the notes on its diff, and says which of them are outdated (more §2.1, §2.4).
func followVersion(ctx context.Context, st *db.Store, e Changed) error {
	before, r := e.Before, e.Request
	if before.ID == 0 || before.Head == r.Head && before.Base == r.Base && before.Start == r.Start {
		return nil
	}
	g, err := code.Open(ctx, st, e.Project)
	if err != nil {
		return err
	}
	v, ok, err := LastVersion(ctx, st, r)
	if err != nil || !ok || v.Head != r.Head {
		return err
	}
	f := follower{st: st, g: g, r: r, before: before, version: v, by: authorOr(e.By, r)}
	if err := f.keep(ctx, e.Project); err != nil {
		return err
	}
	if before.Head != r.Head {
		if err := f.noteCommits(ctx); err != nil {
			return err
		}
	}
	return f.moveNotes(ctx, e.Project.Settings.ResolveOutdatedDiffDiscussions)
}

// authorOr returns who is said to have made a version: who pushed it or, for a deploy key, the
// author of the merge request.
func authorOr(by tree.User, r Request) int64 {
	if by.ID == 0 && r.AuthorID != nil {
		return *r.AuthorID
	}
	return by.ID
}

// follower makes the notes of a merge request follow a new version.
type follower struct {
	st        *db.Store
	g         *code.Git
	before, r Request
	version   Version
	by        int64 // 0: nobody is left
}

// keep keeps the commits of the version, which the diffs and positions of notes refer to.
func (f follower) keep(ctx context.Context, p tree.Project) error {
	return code.Keep(ctx, f.st, p, f.version.Head, f.version.Base, f.version.Start)
}

// url returns where a page shows the difference from the version before.
func (f follower) url() string {
	return fmt.Sprintf("/%s/-/merge_requests/%d/diffs?diff_id=%d&start_sha=%s",
		f.r.Path, f.r.IID, f.version.ID, f.before.Head)
}

// diffNote is what of a note on a diff is moved.
type diffNote struct {
	ID       int64           `db:"id"`
	Thread   string          `db:"discussion_id"`
	Position json.RawMessage `db:"position"`
	Resolved bool            `db:"resolved"`
}

// moveNotes moves the notes on the diff before. Outdated ones stay where they are, and each of
// their threads says so once.
func (f follower) moveNotes(ctx context.Context, resolveOutdated *bool) error {
	list, positions, err := f.notes(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	t, err := newTracer(ctx, f.g, Version{Head: f.before.Head, Base: f.before.Base}, f.version, positions)
	if err != nil {
		return err
	}
	var moved, outdated []int64
	var texts []string
	var threads []note.ThreadNote
	said := map[string]bool{}
	count, err := db.Value[int](ctx, f.st, `select count(*) from merge_request_versions where merge_request_id = @id`,
		pgx.NamedArgs{"id": f.r.ID})
	if err != nil {
		return err
	}
	var open []string
	for n, p := range positions {
		if now, ok := t.move(p); ok {
			text, err := json.Marshal(now)
			if err != nil {
				return err
			}
			moved, texts = append(moved, list[n].ID), append(texts, string(text))
			continue
		}
		outdated = append(outdated, list[n].ID)
		if said[list[n].Thread] {
			continue
		}
		said[list[n].Thread] = true
		open = append(open, list[n].Thread)
		threads = append(threads, note.ThreadNote{Thread: list[n].Thread, Text: f.outdatedText(p, count)})
	}
	if err := f.storeMoved(ctx, moved, texts, outdated); err != nil || len(threads) == 0 || f.by == 0 {
		return err
	}
	if err := note.AddSystemTo(ctx, f.st, f.r.Target(), f.by, threads...); err != nil {
		return err
	}
	if resolveOutdated == nil || !*resolveOutdated {
		return nil
	}
	return note.Resolve(ctx, f.st, f.r.Target(), f.by, true, open...)
}

// notes returns the notes on the diff of the version before with their positions. Those on a
// commit stay there.
func (f follower) notes(ctx context.Context) (list []diffNote, positions []note.Position, err error) {
	list, err = db.Many[diffNote](ctx, f.st, `
		select t.id, t.discussion_id, t.position, t.resolved_at is not null as resolved from notes t
		where t.merge_request_id = @id and t.position is not null and t.request_commit_oid is null and not t.system
			and t.position ->> 'head_sha' = @head and t.position ->> 'base_sha' = @base
			and t.position ->> 'start_sha' = @start order by t.id`,
		pgx.NamedArgs{
			"id": f.r.ID, "head": f.before.Head.String(), "base": f.before.Base.String(),
			"start": f.before.Start.String(),
		})
	positions = make([]note.Position, len(list))
	for n := range list {
		if err == nil {
			err = json.Unmarshal(list[n].Position, &positions[n])
		}
	}
	return list, positions, err
}

// storeMoved writes the positions of notes, and that the suggestions of outdated ones cannot be
// applied any more.
func (f follower) storeMoved(ctx context.Context, moved []int64, positions []string, outdated []int64) error {
	if len(moved) > 0 {
		err := f.st.Exec(ctx, `
			update notes t set position = p.position::jsonb
			from unnest(@ids::bigint[], @positions::text[]) p (id, position) where t.id = p.id`,
			pgx.NamedArgs{"ids": moved, "positions": positions})
		if err != nil {
			return err
		}
	}
	if len(outdated) == 0 {
		return nil
	}
	return f.st.Exec(ctx, `
		update suggestions set outdated = true where note_id = any(@ids) and applied_oid is null`,
		pgx.NamedArgs{"ids": outdated})
}

func (f follower) outdatedText(p note.Position, count int) string {
	what := "this line"
	if p.PositionType != note.TextPosition {
		what = "this file"
	}
	return fmt.Sprintf("changed %s in [version %d of the diff](%s)", what, count, f.url())
}

// refsOf returns the commits of a position; ok is false if they are not ids.
func refsOf(p note.Position) (v Version, ok bool) {
	if p.BaseSHA == nil || p.StartSHA == nil {
		return v, false
	}
	var errs [3]error
	v.Base, errs[0] = object.ParseID(*p.BaseSHA)
	v.Start, errs[1] = object.ParseID(*p.StartSHA)
	v.Head, errs[2] = object.ParseID(p.HeadSHA)
	return v, errs == [3]error{}
}

// versionListeners make notes follow new versions, and keep the suggestions in them.
var versionListeners = []event.Listener{event.On(followVersion), event.On(onNoteCreated), event.On(onNoteChanged)}

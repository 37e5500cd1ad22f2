package merge

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/diff"
	"hew/server/git/object"
)

// The states of versions that are shown in part (more §6.1).
const (
	Collected     = "collected"
	Empty         = "empty"
	FilesOverflow = "overflow_diff_files_limit"
	LinesOverflow = "overflow_diff_lines_limit"
)

const selectVersions = `select t.* from merge_request_versions t`

// Versions returns a page of the versions of a merge request, newest first, and their capped count.
func Versions(ctx context.Context, s *db.Store, r Request, p db.Page) ([]Version, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.merge_request_id = @request`, r.ID)
	p.Desc = true
	return db.List[Version](ctx, s, p, nil, "t.id", selectVersions, w)
}

// FindVersion returns a version of a merge request, or a not-found fault.
func FindVersion(ctx context.Context, s *db.Store, r Request, id int64) (Version, error) {
	return db.One[Version](ctx, s, "Merge Request Diff",
		selectVersions+` where t.merge_request_id = @request and t.id = @id`,
		pgx.NamedArgs{"request": r.ID, "id": id})
}

// LastVersion returns the newest version of a merge request; ok is false if there is none.
func LastVersion(ctx context.Context, s *db.Store, r Request) (v Version, ok bool, err error) {
	list, err := db.Many[Version](ctx, s,
		selectVersions+` where t.merge_request_id = @request order by t.id desc limit 1`,
		pgx.NamedArgs{"request": r.ID})
	if len(list) == 0 {
		return v, false, err
	}
	return list[0], true, err
}

// versionOf returns the newest version of a merge request with the commits of a position.
func versionOf(
	ctx context.Context, s *db.Store, r Request, base, start, head object.ID,
) (v Version, ok bool, err error) {
	list, err := db.Many[Version](ctx, s, selectVersions+`
		where t.merge_request_id = @request and t.base_oid = @base and t.start_oid = @start and t.head_oid = @head
		order by t.id desc limit 1`,
		pgx.NamedArgs{"request": r.ID, "base": base, "start": start, "head": head})
	if len(list) == 0 {
		return v, false, err
	}
	return list[0], true, err
}

// Size returns the number of files as answers show it: "1000+" of those that a limit ends.
func (v Version) Size() string {
	size := strconv.Itoa(v.FileCount)
	if v.State == FilesOverflow || v.State == LinesOverflow {
		size += "+"
	}
	return size
}

// Commits returns a page of the commits that the version brings, newest first, and their number up
// to code.MaxCounted.
func (v Version) Commits(ctx context.Context, g *code.Git, p db.Page) ([]code.Commit, int, error) {
	return g.Between(ctx, v.Start, v.Head, p)
}

// measure counts what the version brings, up to the limits of what is shown.
func (v *Version) measure(ctx context.Context, st *db.Store, g *code.Git) error {
	_, commits, err := v.Commits(ctx, g, db.Page{})
	if err != nil {
		return err
	}
	limits, err := code.DiffLimits(ctx, st)
	if err != nil {
		return err
	}
	list, err := g.DiffList(ctx, v.Base, v.Head, limits, diff.Window{})
	if err != nil {
		return err
	}
	id, err := g.PatchID(ctx, v.Base, v.Head)
	if err != nil {
		return err
	}
	if v.PatchID = nil; !id.IsZero() {
		v.PatchID = id[:]
	}
	v.CommitCount, v.FileCount = commits, list.Total
	v.State = map[diff.Overflow]string{
		diff.NoOverflow: Collected, diff.FilesOverflow: FilesOverflow,
		diff.LinesOverflow: LinesOverflow, diff.BytesOverflow: LinesOverflow,
	}[list.Overflow]
	if list.Real == 0 {
		v.State = Empty
	}
	return nil
}

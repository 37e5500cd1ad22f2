package code

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
)

// minShort is the least number of digits that abbreviate an id.
const minShort = 7

// IsRevision reports whether a text can be a revision, a range of them or, if it is empty, the
// default one.
func IsRevision(text string) bool {
	return !strings.HasPrefix(text, "-") && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`:?*[\`, r)
	})
}

// Resolve returns the commit that a revision names, as git does: an id or the beginning of one, a
// ref by its full or short name (tags before branches), HEAD, each followed by any number of ~n, ^n
// and ^{commit}. If there is none, it returns a not-found fault about what.
func (g *Git) Resolve(ctx context.Context, what, revision string) (object.ID, error) {
	base, steps := revision, ""
	if i := strings.IndexAny(revision, "~^"); i >= 0 {
		base, steps = revision[:i], revision[i:]
	}
	id, err := g.resolveBase(ctx, what, base)
	for err == nil && steps != "" {
		id, steps, err = g.step(ctx, what, id, steps)
	}
	return id, err
}

func (g *Git) resolveBase(ctx context.Context, what, base string) (object.ID, error) {
	if id, err := object.ParseID(base); err == nil {
		found, err := g.abbreviated(ctx, id.String())
		if err == nil && len(found) == 0 {
			err = fault.NotFound(what)
		}
		return id, err
	}
	if base == "HEAD" || base == "@" {
		base = Heads + g.Head
	}
	ref, err := g.named(ctx, what, base)
	if fault.CodeOf(err) != fault.CodeNotFound || !isShort(base) {
		return ref.Commit(), err
	}
	ids, err := g.abbreviated(ctx, base)
	if err == nil && len(ids) != 1 {
		err = fault.NotFound(what)
	}
	if err != nil {
		return object.ID{}, err
	}
	return ids[0], nil
}

// named returns the ref of a commit with a full or short name; a tag, where a branch has the same
// name. Tags can also point to files and directories, which are not revisions. With the offset
// Postgres looks each commit up, where it would join all commits of the repository otherwise.
func (g *Git) named(ctx context.Context, what, name string) (Ref, error) {
	return db.One[Ref](ctx, g.st, what, selectRefs+`
		where t.repository_id = @repository and t.name = any(@names)
			and exists (
				select from commits c where c.repository_id = t.repository_id and c.oid = coalesce(t.peeled, t.oid) offset 0)
		order by array_position(@names, t.name) limit 1`,
		pgx.NamedArgs{"repository": g.ID, "names": []string{name, "refs/" + name, Tags + name, Heads + name}})
}

func isShort(text string) bool {
	if len(text) < minShort || len(text) > 2*object.IDSize {
		return false
	}
	return strings.Trim(strings.ToLower(text), "0123456789abcdef") == ""
}

// abbreviated returns up to two commits whose ids begin with the digits.
func (g *Git) abbreviated(ctx context.Context, digits string) ([]object.ID, error) {
	low, err := hex.DecodeString(digits + strings.Repeat("0", 2*object.IDSize-len(digits)))
	if err != nil {
		return nil, nil // not an id
	}
	high, _ := hex.DecodeString(digits + strings.Repeat("f", 2*object.IDSize-len(digits)))
	return db.Values[object.ID](ctx, g.st, `
		select c.oid from commits c where c.repository_id = @repository and c.oid between @low and @high limit 2`,
		pgx.NamedArgs{"repository": g.ID, "low": low, "high": high})
}

// step follows the first of the steps, such as ~2, and returns the rest of them.
func (g *Git) step(ctx context.Context, what string, id object.ID, steps string) (object.ID, string, error) {
	if rest, ok := strings.CutPrefix(steps, "^{"); ok {
		kind, rest, ok := strings.Cut(rest, "}")
		if !ok || kind != "" && kind != "commit" {
			return id, "", fault.NotFound(what)
		}
		return id, rest, nil // refs are peeled already
	}
	if steps[0] != '~' && steps[0] != '^' {
		return id, "", fault.NotFound(what)
	}
	digits := steps[1:]
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	n, rest := 1, steps[1+len(digits):]
	if digits != "" {
		var err error
		if n, err = strconv.Atoi(digits); err != nil {
			return id, "", fault.NotFound(what)
		}
	}
	h, err := g.History(ctx)
	if err != nil {
		return id, "", err
	}
	if steps[0] == '^' && n == 0 {
		return id, rest, nil
	}
	parent, times := 0, n
	if steps[0] == '^' {
		parent, times = n-1, 1
	}
	for range times {
		parents, ok := h.ParentIDs(id)
		if !ok || parent >= len(parents) {
			return id, "", fault.NotFound(what)
		}
		id = parents[parent]
	}
	return id, rest, nil
}

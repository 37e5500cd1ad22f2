package code

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// The namespaces of refs that everybody sees. Others, such as refs/merge-requests/, are listed only
// on request by name, and nobody pushes to them.
const (
	Heads = "refs/heads/"
	Tags  = "refs/tags/"
)

// Ref is a branch, a tag or a hidden ref.
type Ref struct {
	Name      string    `db:"name"`       // in full: refs/heads/main
	ID        object.ID `db:"oid"`        // of a commit; of the tag object, if it is an annotated tag
	Peeled    object.ID `db:"peeled"`     // what the tag object points to in the end; zero for others
	UpdatedAt time.Time `db:"updated_at"` // when it last moved
}

// Commit returns what the ref points to: a commit, as a rule.
func (r Ref) Commit() object.ID {
	if r.Peeled.IsZero() {
		return r.ID
	}
	return r.Peeled
}

// Short returns the name without refs/heads/ or refs/tags/.
func (r Ref) Short() string { return ShortName(r.Name) }

// ShortName returns the name of a ref without refs/heads/ or refs/tags/.
func ShortName(name string) string {
	if short, ok := strings.CutPrefix(name, Heads); ok {
		return short
	}
	return strings.TrimPrefix(name, Tags)
}

const selectRefs = `select t.name, t.oid, t.peeled, t.updated_at from refs t`

// FindRef returns the ref with a full name, or a not-found fault about what.
func (r Repository) FindRef(ctx context.Context, st *db.Store, what, name string) (Ref, error) {
	return db.One[Ref](ctx, st, what, selectRefs+` where t.repository_id = @repository and t.name = @name`,
		pgx.NamedArgs{"repository": r.ID, "name": name})
}

// holdRef returns a ref and locks it until the commit. A ref that does not exist has no id.
func (r Repository) holdRef(ctx context.Context, st *db.Store, name string) (Ref, error) {
	ref, err := db.One[Ref](ctx, st, "Ref",
		selectRefs+` where t.repository_id = @repository and t.name = @name for no key update`,
		pgx.NamedArgs{"repository": r.ID, "name": name})
	if err = fault.IgnoreNotFound(err); err != nil {
		return ref, err
	}
	ref.Name = name
	return ref, st.Locked(ctx)
}

// RefFilter narrows a list of refs.
type RefFilter struct {
	Prefix string         // of the full name: Heads, Tags
	Search string         // text in the short name: ^text at its beginning, text$ at its end
	After  string         // the short name after which the list begins, in the order of names
	Before string         // or the one before which it ends
	Regex  *regexp.Regexp // that the short name matches
}

func (f RefFilter) where(r Repository) *db.Where {
	w := db.NewWhere(nil)
	w.And(`t.repository_id = @repository`, r.ID)
	w.And(`t.name >= @prefix and t.name < @end`, f.Prefix, prefixEnd(f.Prefix))
	text, pattern := f.Search, ""
	if rest, ok := strings.CutPrefix(text, "^"); ok {
		text, pattern = rest, tree.EscapeLike(f.Prefix)
	} else {
		pattern = tree.EscapeLike(f.Prefix) + "%"
	}
	if rest, ok := strings.CutSuffix(text, "$"); ok {
		pattern += tree.EscapeLike(rest)
	} else {
		pattern += tree.EscapeLike(text) + "%"
	}
	w.AndIf(f.After != "", `t.name > @after`, f.Prefix+f.After)
	w.AndIf(f.Before != "", `t.name < @before`, f.Prefix+f.Before)
	w.AndIf(f.Search != "", `t.name ilike @like`, pattern)
	return w
}

// prefixEnd returns the first name that comes after all names with the prefix, by their bytes.
func prefixEnd(prefix string) string {
	last := len(prefix) - 1
	return prefix[:last] + string(prefix[last]+1)
}

// Refs returns all refs with one of the prefixes, or all if there is none, by name. A repository
// can have tens of thousands of refs.
func (r Repository) Refs(ctx context.Context, st *db.Store, prefixes ...string) ([]Ref, error) {
	w := db.NewWhere(pgx.NamedArgs{"repository": r.ID})
	w.And(`t.repository_id = @repository`)
	var alternatives []string
	for _, prefix := range prefixes {
		alternatives = append(alternatives, tree.EscapeLike(prefix)+"%")
	}
	w.AndIf(len(prefixes) > 0, `t.name like any(@prefixes)`, alternatives)
	return db.Many[Ref](ctx, st, selectRefs+w.String()+` order by t.name`, w.Args)
}

// setRefs writes refs wherever they pointed before, or removes those with the zero id. It is for
// refs that nobody pushes to. A commit that the repository lacks is a not-found fault.
func (r Repository) setRefs(ctx context.Context, st *db.Store, refs map[string]object.ID) error {
	names := slices.Sorted(maps.Keys(refs)) // two transactions lock them in one order
	ids := make([][]byte, len(names))
	for i, name := range names {
		ids[i] = rawID(refs[name])
	}
	args := pgx.NamedArgs{"repository": r.ID, "names": names, "ids": ids}
	missing, err := db.Value[bool](ctx, st, `
		select exists (select from unnest(@ids::bytea[]) a (id) where a.id <> '' and not exists (
			select from commits c where c.repository_id = @repository and c.oid = a.id))`, args)
	if err != nil {
		return err
	}
	if missing {
		return fault.NotFound("Commit")
	}
	return st.Exec(ctx, `
		with asked as (select * from unnest(@names::text[], @ids::bytea[]) a (name, id)),
		gone as (
			delete from refs r using asked a
			where r.repository_id = @repository and r.name = a.name and a.id = '')
		insert into refs (repository_id, name, oid)
		select @repository, a.name, a.id from asked a where a.id <> '' order by a.name
		on conflict (repository_id, name) do update set oid = excluded.oid, updated_at = now()
		where refs.oid <> excluded.oid`, args)
}

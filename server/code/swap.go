package code

import (
	"cmp"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
)

// moves are updates as arguments of statements: a mirror can bring ten thousand refs. An empty id
// stands for none.
type moves struct {
	names               []string
	olds, news, commits [][]byte
	created             []string          // names that do not exist yet
	clashing            map[string]string // why some of created cannot be
}

func (m *moves) add(u Update) {
	commit := u.commit
	if commit == u.New {
		commit = object.ID{}
	}
	m.names = append(m.names, u.Ref)
	m.olds, m.news = append(m.olds, rawID(u.Old)), append(m.news, rawID(u.New))
	m.commits = append(m.commits, rawID(commit))
	if u.Old.IsZero() {
		m.created = append(m.created, u.Ref)
	}
}

func rawID(id object.ID) []byte {
	if id.IsZero() {
		return []byte{}
	}
	return id[:]
}

// swapAll moves the refs. It locks them in the order of their names first, so that two pushes never
// wait for each other.
func (g *Git) swapAll(ctx context.Context, c change) ([]string, error) {
	m := moves{clashing: map[string]string{}}
	for _, u := range c.Updates {
		m.add(u)
	}
	if err := g.findClashes(ctx, &m); err != nil {
		return nil, err
	}
	if len(m.names) > 1 {
		if err := g.st.Exec(ctx, `
			select from refs where repository_id = @repository and name = any(@names) order by name for no key update`,
			pgx.NamedArgs{"repository": g.ID, "names": m.names}); err != nil {
			return nil, err
		}
	}
	moved, err := g.move(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := g.checkAgain(ctx); err != nil {
		return nil, err
	}
	results := make([]string, len(c.Updates))
	for i, u := range c.Updates {
		if !moved[u.Ref] {
			results[i] = cmp.Or(m.clashing[u.Ref], refMoved)
		}
		if c.Atomic && results[i] != "" {
			return nil, notAtomic{u.Ref, results[i]}
		}
	}
	return results, nil
}

// findClashes finds new refs that would be a directory of another one, or be in one: git keeps refs
// as files.
func (g *Git) findClashes(ctx context.Context, m *moves) error {
	if len(m.created) == 0 {
		return nil
	}
	if err := g.st.Exclusively(ctx, fmt.Sprint("names of refs of repository ", g.ID)); err != nil {
		return err
	}
	taken := map[string]bool{}
	var above []string
	for _, name := range m.created {
		taken[name] = true
		above = append(above, directories(name)...)
	}
	args := pgx.NamedArgs{"repository": g.ID, "above": above, "created": m.created}
	files, err := db.Values[string](ctx, g.st, `
		select t.name from refs t where t.repository_id = @repository and t.name = any(@above)`, args)
	if err != nil {
		return err
	}
	for _, name := range files {
		taken[name] = true
	}
	below, err := db.Many[struct {
		Name  string `db:"name"`
		Other string `db:"other"`
	}](ctx, g.st, `
		select a.name, b.name as other from unnest(@created::text[]) a (name) join lateral (
			select t.name from refs t
			where t.repository_id = @repository and t.name > (a.name || '/') collate "C"
				and t.name < (a.name || '0') collate "C" limit 1) b on true`, args) // 0 comes after /
	if err != nil {
		return err
	}
	for _, b := range below {
		m.clashing[b.Name] = clashText(b.Other, b.Name)
	}
	for _, name := range m.created {
		for _, dir := range directories(name) {
			if taken[dir] {
				m.clashing[name] = clashText(dir, name)
			}
		}
	}
	return nil
}

func clashText(other, name string) string {
	return "'" + other + "' exists; cannot create '" + name + "'"
}

// directories returns the names that the name of a ref makes directories of.
func directories(name string) (list []string) {
	for i := range name {
		if name[i] == '/' {
			list = append(list, name[:i])
		}
	}
	return list
}

// move writes the refs that are where the updates say, and returns their names.
func (g *Git) move(ctx context.Context, m moves) (map[string]bool, error) {
	clashing := make([]string, 0, len(m.clashing))
	for name := range m.clashing {
		clashing = append(clashing, name)
	}
	names, err := db.Values[string](ctx, g.st, `
		with asked as (
			select * from unnest(@names::text[], @olds::bytea[], @news::bytea[], @commits::bytea[])
				a (name, old, new, commit)),
		created as (
			insert into refs (repository_id, name, oid, peeled)
			select @repository, a.name, a.new, nullif(a.commit, '') from asked a
			where a.old = '' and a.new <> '' and a.name <> all(@clashing)
			on conflict do nothing
			returning name),
		changed as (
			update refs r set oid = a.new, peeled = nullif(a.commit, ''), updated_at = now() from asked a
			where r.repository_id = @repository and r.name = a.name and r.oid = a.old and a.new <> ''
			returning r.name),
		deleted as (
			delete from refs r using asked a
			where r.repository_id = @repository and r.name = a.name and r.oid = a.old and a.new = ''
			returning r.name)
		select name from created union all select name from changed union all select name from deleted`,
		pgx.NamedArgs{"repository": g.ID, "names": m.names, "olds": m.olds, "news": m.news, "commits": m.commits,
			"clashing": clashing})
	moved := make(map[string]bool, len(names))
	for _, name := range names {
		moved[name] = true
	}
	return moved, err
}

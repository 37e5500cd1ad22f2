package code

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Branch is a branch or a tag with the commit that it points to.
type Branch struct {
	Ref
	Commit
}

// refRow is a row of selectRefRows: columns of a ref, and those of its commit.
type refRow struct {
	Name      string    `db:"ref_name"`
	RefID     object.ID `db:"ref_oid"`
	Peeled    object.ID `db:"peeled"`
	UpdatedAt time.Time `db:"updated_at"`
	Commit
}

func (r refRow) branch() Branch {
	return Branch{Ref{r.Name, r.RefID, r.Peeled, r.UpdatedAt}, r.Commit}
}

const selectRefRows = `
	select t.name as ref_name, t.oid as ref_oid, t.peeled, t.updated_at, ` + commitColumns + `
	from refs t join commits c on c.repository_id = t.repository_id and c.oid = coalesce(t.peeled, t.oid)`

// branchOrders are the orders of branches and tags besides that of versions.
var branchOrders = db.Order{"name": "t.name", "updated": "c.committed_at"}

// Branches returns a page of the branches or tags, and their capped count. Orders: name, updated.
func (g *Git) Branches(ctx context.Context, f RefFilter, p db.Page) ([]Branch, int, error) {
	if g.ID == 0 {
		return nil, 0, nil
	}
	if p.Order == "" {
		p.Order = "name"
	}
	if f.Regex != nil {
		return g.branchesLike(ctx, f, p)
	}
	rows, total, err := db.List[refRow](ctx, g.st, p, branchOrders, "t.name", selectRefRows, f.where(g.Repository))
	list := make([]Branch, len(rows))
	for i, r := range rows {
		list[i] = r.branch()
	}
	return list, total, err
}

// branchesLike returns a page of those that match the regular expression of the filter. Postgres
// has another syntax, and one with which an expression can take forever.
func (g *Git) branchesLike(ctx context.Context, f RefFilter, p db.Page) ([]Branch, int, error) {
	direction := ""
	if p.Desc {
		direction = " desc"
	}
	w := f.where(g.Repository)
	names, err := db.Values[string](ctx, g.st, `
		select t.name
		from refs t join commits c on c.repository_id = t.repository_id and c.oid = coalesce(t.peeled, t.oid)`+
		w.String()+` order by `+branchOrders[p.Order]+direction+`, t.name`+direction, w.Args)
	if err != nil {
		return nil, 0, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !f.Regex.MatchString(ShortName(name)) })
	return g.branchesNamed(ctx, names, p)
}

// branchesNamed returns a page of the branches or tags with these full names, in their order.
func (g *Git) branchesNamed(ctx context.Context, names []string, p db.Page) ([]Branch, int, error) {
	page := names[min(p.Offset, len(names)):min(p.Offset+p.Limit, len(names))]
	rows, err := db.Many[refRow](ctx, g.st,
		selectRefRows+` where t.repository_id = @repository and t.name = any(@names)`,
		pgx.NamedArgs{"repository": g.ID, "names": page})
	if err != nil {
		return nil, 0, err
	}
	at := map[string]refRow{}
	for _, r := range rows {
		at[r.Name] = r
	}
	list := make([]Branch, 0, len(page))
	for _, name := range page {
		if r, ok := at[name]; ok {
			list = append(list, r.branch())
		}
	}
	return list, len(names), nil
}

// FindBranch returns the branch or tag with a full name, or a not-found fault about what.
func (g *Git) FindBranch(ctx context.Context, what, name string) (Branch, error) {
	r, err := db.One[refRow](ctx, g.st, what, selectRefRows+` where t.repository_id = @repository and t.name = @name`,
		pgx.NamedArgs{"repository": g.ID, "name": name})
	return r.branch(), err
}

// CreateBranch makes a branch that points to a revision. It returns 400 if the name is not valid,
// the revision does not exist or the branch does, and 403 if a rule forbids it.
func CreateBranch(
	ctx context.Context, st *db.Store, p tree.Project, by Author, name, revision string,
) (b Branch, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p)
		if err != nil {
			return err
		}
		if !catalogue.IsBranchName(name) {
			return refuse("Branch name is invalid")
		}
		id, err := g.Resolve(ctx, "Commit", revision)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return refuse("Invalid reference name: " + revision)
		}
		if err != nil {
			return err
		}
		if err := g.moveRef(ctx, p, by, Update{Ref: Heads + name, New: id, commit: id},
			"Branch already exists", refuse); err != nil {
			return err
		}
		b, err = g.FindBranch(ctx, "Branch", Heads+name)
		return err
	})
	return b, err
}

// moveRef makes one update. If its ref is not where the update says, the error has the text taken.
// refuse makes the fault of a rule that forbids it.
func (g *Git) moveRef(
	ctx context.Context, p tree.Project, by Author, u Update, taken string, refuse func(string) error,
) error {
	results, err := g.push(ctx, change{Project: p, By: by, Updates: []Update{u}})
	switch {
	case err != nil:
		return asFault(err, refuse)
	case results[0] == refMoved:
		return refuse(taken)
	case results[0] != "":
		return refuse(results[0])
	}
	return nil
}

// DeleteBranch removes a branch. It calls unless with the time of its commit, as rest.Unmodified
// wants it, and removes nothing if that returns an error.
func DeleteBranch(
	ctx context.Context, st *db.Store, p tree.Project, by Author, name string,
	unless func(context.Context, time.Time) error,
) error {
	return deleteRef(ctx, st, p, by, Heads+name, "Branch", unless)
}

func deleteRef(
	ctx context.Context, st *db.Store, p tree.Project, by Author, name, what string,
	unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p)
		if err != nil {
			return err
		}
		b, err := g.FindBranch(ctx, what, name)
		if err != nil {
			return err
		}
		if err := unless(ctx, b.Committed()); err != nil {
			return err
		}
		results, err := g.push(ctx, change{Project: p, By: by, Updates: []Update{{Ref: name, Old: b.Ref.ID}}})
		switch {
		case err != nil:
			return asFault(err, forbid)
		case results[0] != "":
			return fault.NotFound(what)
		}
		return nil
	})
}

// DeleteMerged removes the branches that are merged into the default branch, except those that are
// protected.
func DeleteMerged(ctx context.Context, st *db.Store, p tree.Project, by Author) error {
	return st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p)
		if err != nil {
			return err
		}
		refs, err := g.Refs(ctx, st, Heads)
		if err != nil {
			return err
		}
		rules, err := g.readRules(ctx, change{Project: p, By: by})
		if err != nil {
			return err
		}
		merged, err := g.Merged(ctx)
		if err != nil {
			return err
		}
		c := change{Project: p, By: by}
		for _, r := range refs {
			if r.Short() != g.Head && merged(r.ID) && !rules.protection.Protects("branch", r.Short()) {
				c.Updates = append(c.Updates, Update{Ref: r.Name, Old: r.ID})
			}
		}
		if len(c.Updates) == 0 {
			return nil
		}
		_, err = g.push(ctx, c)
		return asFault(err, forbid)
	})
}

// Merged returns a function, for one goroutine, that reports whether a commit is in the default
// branch. It is cheap to call for all branches.
func (g *Git) Merged(ctx context.Context) (func(object.ID) bool, error) {
	head, err := g.FindRef(ctx, g.st, "Branch", Heads+g.Head)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return func(object.ID) bool { return false }, nil
	}
	if err != nil {
		return nil, err
	}
	h, err := g.History(ctx)
	if err != nil {
		return nil, err
	}
	return h.Within(head.ID), nil
}

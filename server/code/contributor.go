package code

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
)

// Contributor is an author of commits.
type Contributor struct {
	Name    string `db:"name"`
	Email   string `db:"email"`
	Commits int    `db:"commits"`
}

// Contributors returns the authors of the commits that a commit reaches, merges left out: one for
// each address, with the name of the last commit, by name.
func (g *Git) Contributors(ctx context.Context, from object.ID) ([]Contributor, error) {
	ids, err := g.walk(ctx, LogFilter{From: []object.ID{from}})
	if err != nil {
		return nil, err
	}
	var reached [][]byte
	for id := range ids {
		reached = append(reached, id[:])
	}
	return db.Many[Contributor](ctx, g.st, `
		select (array_agg(c.author_name order by c.committed_at desc, c.id desc))[1] as name,
		       lower(c.author_email) as email, count(*) as commits
		from commits c
		where c.repository_id = @repository and c.oid = any(@oids) and octet_length(c.parents) <= @one
		group by lower(c.author_email) order by 1, 2`,
		pgx.NamedArgs{"repository": g.ID, "oids": reached, "one": object.IDSize})
}

// ContributorOrders compare contributors, by the names that requests give the orders.
var ContributorOrders = map[string]func(a, b Contributor) int{
	"name":    func(a, b Contributor) int { return strings.Compare(a.Name, b.Name) },
	"email":   func(a, b Contributor) int { return strings.Compare(a.Email, b.Email) },
	"commits": func(a, b Contributor) int { return a.Commits - b.Commits },
}

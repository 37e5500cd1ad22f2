package code

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Place says which repository is meant: the code of a project, the wiki of a project or group, or
// the files of a snippet.
type Place struct {
	db.Container // empty for a snippet
	Kind         Kind
	Project      tree.Project // the zero value for the wiki of a group and for a snippet

	space   int64  // the namespace whose settings name the first branch of a wiki
	snippet *int64 // the id of a snippet
}

// SnippetHead is the only branch of the repository of a snippet.
const SnippetHead = "main"

// SourceOf returns the place of the code of a project.
func SourceOf(p tree.Project) Place {
	return Place{Container: p.Container(), Kind: Source, Project: p, space: p.NamespaceID}
}

// WikiOfProject returns the place of the wiki of a project.
func WikiOfProject(p tree.Project) Place {
	return Place{Container: p.Container(), Kind: Wiki, Project: p, space: p.NamespaceID}
}

// WikiOfGroup returns the place of the wiki of a group.
func WikiOfGroup(g tree.Group) Place {
	return Place{Container: g.Container(), Kind: Wiki, space: g.ID}
}

// SnippetPlace returns the place of the files of the snippet with an id.
func SnippetPlace(id int64) Place { return Place{Kind: Snippet, snippet: &id} }

// String names the owner of the repository, for locks and logs.
func (p Place) String() string {
	if p.snippet != nil {
		return fmt.Sprint("snippet ", *p.snippet)
	}
	return p.Container.String()
}

// Open returns the repository. One that is empty can be opened too.
func (p Place) Open(ctx context.Context, st *db.Store) (*Git, error) {
	r, err := FindRepository(ctx, st, p)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, st, r)
}

// hold returns the repository for a change. It makes it if it must, and keeps it until the commit.
func (p Place) hold(ctx context.Context, st *db.Store) (*Git, error) {
	r, err := holdRepository(ctx, st, p)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, st, r)
}

func (p Place) open(ctx context.Context, st *db.Store, r Repository) (g *Git, err error) {
	g = &Git{Repository: r, Head: p.Project.Head, st: st, storage: storageOf(st)}
	switch p.Kind {
	case Wiki:
		g.Head, err = p.wikiHead(ctx, st, r)
	case Snippet:
		g.Head = SnippetHead
	}
	return g, err
}

// wikiHead returns the branch that HEAD of a wiki points to: the one that was pushed first, or
// before that, what its group or the instance calls the first branch.
func (p Place) wikiHead(ctx context.Context, st *db.Store, r Repository) (string, error) {
	if r.ChosenHead != nil {
		return *r.ChosenHead, nil
	}
	return db.Value[string](ctx, st, `
		select coalesce((select n.settings ->> 'default_branch' from namespaces n where n.id = @space),
		                (select nullif(settings ->> 'default_branch_name', '') from application_settings), 'main')`,
		pgx.NamedArgs{"space": p.space})
}

// chooseHead makes HEAD of a wiki point to a branch.
func (g *Git) chooseHead(ctx context.Context, branch string) error {
	g.Head, g.ChosenHead = branch, &branch
	return g.st.Exec(ctx, `update repositories set head = @head where id = @id`,
		pgx.NamedArgs{"id": g.ID, "head": branch})
}

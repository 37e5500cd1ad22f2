package snippet

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// AllInProject returns the snippets of a project whose id is greater than after, by id and at most
// so many, visible to the caller or not.
func AllInProject(ctx context.Context, s *db.Store, projectID, after int64, most int) ([]Snippet, error) {
	return db.Many[Snippet](ctx, s, selectSnippets+`
		where t.project_id = @project and t.id > @after order by t.id limit @most`,
		pgx.NamedArgs{"project": projectID, "after": after, "most": most})
}

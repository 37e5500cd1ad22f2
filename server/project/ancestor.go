package project

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/group"
	"hew/server/tree"
)

// AncestorFilter narrows a list of groups that a project belongs to. Zero fields narrow nothing.
type AncestorFilter struct {
	Search      string // in full name and path
	Skip        []int64
	Shared      bool // add the groups that are invited into the project and that the viewer may see
	SharedLevel int  // of the shares that are added
	Viewer      tree.Viewer
}

// ListAncestors lists the groups that a project is in, by path.
func ListAncestors(
	ctx context.Context, s *db.Store, p tree.Project, f AncestorFilter, at db.Page,
) ([]group.ListedGroup, int, error) {
	at.Order = "path"
	w := db.NewWhere(pgx.NamedArgs{"viewer": f.Viewer.UserID, "all": f.Viewer.All, "project": p.ID,
		"level": f.SharedLevel, "above": p.NamespaceIDs})
	w.And(`n.kind = 'group'`)
	w.AndIf(!f.Shared, `n.id = any(@above)`)
	w.AndIf(f.Shared, `n.id = any(@above) or n.id in (
		select s.group_id from shares s join namespaces i on i.id = s.group_id
		where s.project_id = @project and s.group_access >= @level and `+tree.LastingShare+` and `+tree.Seen+`)`)
	w.AndIf(len(f.Skip) > 0, `n.id <> all(@skip)`, f.Skip)
	w.AndIf(f.Search != "", `n.full_name ilike @like or n.full_path ilike @like`, tree.Infix(f.Search))
	return db.List[group.ListedGroup](
		ctx, s, at, db.Order{"path": "n.full_path"}, "n.id", group.GroupFilter{}.Query(), w,
	)
}

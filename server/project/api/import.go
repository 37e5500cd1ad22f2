package api

import (
	"context"
	"time"

	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// imports tell how far the import of the repository of a project is (spec 1 §2.8, gaps §12.2).
type imports struct{ *view.Site }

func (a imports) routes() []rest.Route {
	return []rest.Route{rest.Get("/projects/{id}/import", scope.ForProject(policy.ReadProject), a.show)}
}

type importView struct {
	ID                int64     `json:"id"`
	Description       *string   `json:"description"`
	Name              string    `json:"name"`
	NameWithNamespace string    `json:"name_with_namespace"`
	Path              string    `json:"path"`
	PathWithNamespace string    `json:"path_with_namespace"`
	CreatedAt         time.Time `json:"created_at"`
	importState
	CorrelationID   string   `json:"correlation_id"`   // none is kept
	FailedRelations []string `json:"failed_relations"` // a repository has none
}

func (a imports) show(_ context.Context, s scope.InProject, _ rest.None) (importView, error) {
	p := a.SimpleProject(s.Project.Project)
	return importView{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NameWithNamespace, Path: p.Path,
		PathWithNamespace: p.PathWithNamespace, CreatedAt: p.CreatedAt,
		importState: importStateOf(s.Project.Project, s.Can(adminProject)), FailedRelations: []string{},
	}, nil
}

// importState is what project and import show alike.
type importState struct {
	ImportType   *string `json:"import_type"`
	ImportStatus string  `json:"import_status"`
	ImportError  *string `json:"import_error"` // for maintainers
}

func importStateOf(p tree.Project, maintains bool) importState {
	s := importState{ImportStatus: p.ImportStatus}
	switch {
	case p.ForkedFromID != nil:
		s.ImportStatus = "finished"
	case p.ImportURL != nil:
		s.ImportType = new("git")
	}
	if maintains {
		s.ImportError = p.ImportError
	}
	return s
}

package api

import (
	"context"
	"encoding/json"
	"time"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/project"
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

// ImportView is the record of an import.
type ImportView struct {
	ID                int64     `json:"id"`
	Description       *string   `json:"description"`
	Name              string    `json:"name"`
	NameWithNamespace string    `json:"name_with_namespace"`
	Path              string    `json:"path"`
	PathWithNamespace string    `json:"path_with_namespace"`
	CreatedAt         time.Time `json:"created_at"`
	importState
	CorrelationID   string                  `json:"correlation_id"`   // of the request that asked for the import
	FailedRelations []project.ImportFailure `json:"failed_relations"` // for maintainers
	Stats           json.RawMessage         `json:"stats"`
}

func (a imports) show(ctx context.Context, s scope.InProject, _ rest.None) (ImportView, error) {
	return ImportViewOf(ctx, a.Site, s.Store, s.Project.Project, s.Can(adminProject))
}

// ImportViewOf returns the record of the import of a project. Why it failed, and in what, is for
// maintainers.
func ImportViewOf(
	ctx context.Context, site *view.Site, st *db.Store, row tree.Project, maintains bool,
) (v ImportView, err error) {
	p := site.SimpleProject(row)
	v = ImportView{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NameWithNamespace, Path: p.Path,
		PathWithNamespace: p.PathWithNamespace, CreatedAt: p.CreatedAt, importState: importStateOf(row, maintains),
		FailedRelations: []project.ImportFailure{},
	}
	record, err := project.FindImportRecord(ctx, st, p.ID)
	if err != nil {
		return v, err
	}
	v.CorrelationID, v.Stats = record.CorrelationID, record.Stats
	if !maintains {
		return v, nil
	}
	failures, err := project.ImportFailures(ctx, st, p.ID)
	v.FailedRelations = append(v.FailedRelations, failures...)
	return v, err
}

// importState is what project and import show alike.
type importState struct {
	ImportType   *string `json:"import_type"`
	ImportStatus string  `json:"import_status"`
	ImportError  *string `json:"import_error"` // for maintainers
}

func importStateOf(p tree.Project, maintains bool) importState {
	s := importState{ImportType: p.ImportType, ImportStatus: p.ImportStatus}
	if p.ForkedFromID != nil && p.ImportStatus == "none" {
		s.ImportStatus = "finished"
	}
	if maintains {
		s.ImportError = p.ImportError
	}
	return s
}

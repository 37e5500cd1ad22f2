package api

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"hew/server/blob/serve"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/transfer"
	"hew/server/view"
)

// exports are the routes of archives of projects (spec 1 §2.7, §4.6, gaps §12.1).
type exports struct {
	*view.Site
	log *slog.Logger
}

// transferTime is how long an archive may take to its client.
const transferTime = 3 * time.Hour

func (a exports) routes() []rest.Route {
	const path = "/projects/{id}/export"
	admit := scope.Unless(scope.ForProject(exportProject), disabled)
	often := scope.LimitedInProject(setting.ExportsDownloaded, admit)
	return []rest.Route{
		rest.Post(path, scope.Limited(setting.ExportsStarted, admit), a.start).Status(202),
		rest.Get(path, admit, a.show),
		rest.Get(path+"/download", often, a.download).Timeout(transferTime),
	}
}

// disabled refuses everybody where exports are switched off.
func disabled(ctx context.Context, s scope.InProject) error {
	settings, err := setting.Read(ctx, s.Store)
	if err == nil && !settings.ProjectExports {
		err = fault.NotFound("")
	}
	return err
}

type exportNew struct {
	Description rest.Opt[string]       `param:"description"`
	Upload      rest.Opt[exportUpload] `param:"upload"`
}

type exportUpload struct {
	URL    string `param:"url,required,notempty"`
	Method string `param:"http_method" oneof:"PUT POST"`
}

type exportAccepted struct {
	Message string `json:"message"`
}

func (exports) start(ctx context.Context, s scope.InProject, in exportNew) (exportAccepted, error) {
	n := transfer.NewExport{UserID: s.Caller.ID()}
	if text := in.Description.Or(""); text != "" {
		n.Description = &text
	}
	if to, given := in.Upload.Value(); given {
		if to.Method == "" {
			to.Method = "PUT"
		}
		n.Target = &transfer.ExportTarget{URL: to.URL, Method: to.Method}
	}
	return exportAccepted{"202 Accepted"}, transfer.RequestExport(ctx, s.Store, s.Project.Project, n)
}

type exportView struct {
	ID                int64        `json:"id"`
	Description       *string      `json:"description"`
	Name              string       `json:"name"`
	NameWithNamespace string       `json:"name_with_namespace"`
	Path              string       `json:"path"`
	PathWithNamespace string       `json:"path_with_namespace"`
	CreatedAt         time.Time    `json:"created_at"` // of the project
	ExportStatus      string       `json:"export_status"`
	Links             *exportLinks `json:"_links,omitempty"` // of a finished export
}

type exportLinks struct {
	API string `json:"api_url"`
	Web string `json:"web_url"`
}

func (a exports) show(ctx context.Context, s scope.InProject, _ rest.None) (exportView, error) {
	p := s.Project.Project
	status, err := transfer.ExportStatus(ctx, s.Store, p.ID, s.Caller.ID())
	v := exportView{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NamespaceFullName + " / " + p.Name,
		Path: p.Path, PathWithNamespace: p.FullPath, CreatedAt: p.CreatedAt, ExportStatus: status,
	}
	if status == transfer.ExportFinished {
		v.Links = &exportLinks{
			API: fmt.Sprintf("%s/api/v4/projects/%d/export/download", a.Base, p.ID),
			Web: a.Web(p.FullPath + "/download_export"),
		}
	}
	return v, err
}

func (a exports) download(ctx context.Context, s scope.InProject, _ rest.None) (rest.Raw, error) {
	e, err := transfer.FindArchive(ctx, s.Store, s.Project.ID, s.Caller.ID())
	if err != nil {
		return nil, err
	}
	return serve.File{
		Log: a.log, Store: s.Store, BlobID: *e.BlobID, Name: *e.Name, Type: "application/gzip", Modified: *e.FinishedAt,
	}, nil
}

package api

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"hew/server/ci"
	ciapi "hew/server/ci/api"
	"hew/server/packages"
	"hew/server/scope"
	"hew/server/view"
)

// packageView is a package in lists (gaps §16.1).
type packageView struct {
	ID               int64                 `json:"id"`
	Name             string                `json:"name"`
	Version          string                `json:"version"`
	PackageType      string                `json:"package_type"`
	Status           string                `json:"status"`
	Links            packageLinks          `json:"_links"`
	CreatedAt        time.Time             `json:"created_at"`
	LastDownloadedAt *time.Time            `json:"last_downloaded_at"`
	ProjectID        int64                 `json:"project_id,omitzero"`   // in lists of groups
	ProjectPath      string                `json:"project_path,omitzero"` // likewise
	Tags             []string              `json:"tags"`
	Pipeline         *ciapi.PipelineView   `json:"pipeline,omitempty"` // the latest
	Pipelines        []ciapi.PipelineView  `json:"pipelines"`          // newest first
	Versions         *[]packageVersionView `json:"versions,omitempty"` // of one package by itself
}

type packageLinks struct {
	WebPath       string `json:"web_path"`
	DeleteAPIPath string `json:"delete_api_path"`
}

// packageVersionView is another version of a package.
type packageVersionView struct {
	ID        int64                `json:"id"`
	Version   string               `json:"version"`
	CreatedAt time.Time            `json:"created_at"`
	Tags      []string             `json:"tags"`
	Pipelines []ciapi.PipelineView `json:"pipelines"`
}

// fileView is a file of a package.
type fileView struct {
	ID         int64                `json:"id"`
	PackageID  int64                `json:"package_id"`
	CreatedAt  time.Time            `json:"created_at"`
	FileName   string               `json:"file_name"`
	Size       int64                `json:"size"` // bytes
	FileMD5    string               `json:"file_md5"`
	FileSHA1   string               `json:"file_sha1"`
	FileSHA256 string               `json:"file_sha256"`
	Pipelines  []ciapi.PipelineView `json:"pipelines"`
}

// packageViews shows packages with the pipelines that published them.
type packageViews struct {
	*view.Site
	grouped       bool           // it says of each package whose it is
	withPipelines map[int64]bool // the projects whose pipelines the caller may see
}

func (a packageViews) of(ctx context.Context, s scope.Anyone, list []packages.Package) ([]packageView, error) {
	var ids []int64
	for _, p := range list {
		if a.withPipelines[p.ProjectID] {
			ids = append(ids, p.Pipelines...)
		}
	}
	pipelines, err := a.pipelines(ctx, s, ids)
	if err != nil {
		return nil, err
	}
	views := make([]packageView, len(list))
	for i, p := range list {
		views[i] = a.view(p, pick(pipelines, p.Pipelines))
	}
	return views, nil
}

func (a packageViews) view(p packages.Package, pipelines []ciapi.PipelineView) packageView {
	v := packageView{
		ID: p.ID, Name: p.Name, Version: p.Version, PackageType: p.Type, Status: p.Status, CreatedAt: p.CreatedAt,
		Links: packageLinks{
			WebPath:       fmt.Sprintf("/%s/-/packages/%d", p.ProjectPath, p.ID),
			DeleteAPIPath: fmt.Sprintf("%s/api/v4/projects/%d/packages/%d", a.Base, p.ProjectID, p.ID),
		},
		LastDownloadedAt: p.LastDownloadedAt, Tags: []string{}, Pipelines: pipelines,
	}
	if len(pipelines) > 0 {
		v.Pipeline = &pipelines[0]
	}
	if a.grouped {
		v.ProjectID, v.ProjectPath = p.ProjectID, p.ProjectPath
	}
	return v
}

// pipelines returns pipelines as others mention them, by id. Those that are gone are left out.
func (a packageViews) pipelines(
	ctx context.Context, s scope.Anyone, ids []int64,
) (map[int64]ciapi.PipelineView, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := ci.PipelinesByID(ctx, s.Store, ids)
	by := make(map[int64]ciapi.PipelineView, len(list))
	for id, p := range list {
		by[id] = ciapi.ViewPipeline(a.Site, p)
	}
	return by, err
}

// pick returns those of the pipelines that have the ids, in their order.
func pick(by map[int64]ciapi.PipelineView, ids []int64) []ciapi.PipelineView {
	list := []ciapi.PipelineView{}
	for _, id := range ids {
		if p, ok := by[id]; ok {
			list = append(list, p)
		}
	}
	return list
}

// files shows files of a package.
func (a packageViews) files(ctx context.Context, s scope.Anyone, list []packages.File) ([]fileView, error) {
	var ids []int64
	for _, f := range list {
		if f.PipelineID != nil && a.withPipelines[f.ProjectID] {
			ids = append(ids, *f.PipelineID)
		}
	}
	pipelines, err := a.pipelines(ctx, s, ids)
	views := make([]fileView, len(list))
	for i, f := range list {
		views[i] = fileView{
			ID: f.ID, PackageID: f.PackageID, CreatedAt: f.CreatedAt, FileName: f.Name, Size: f.Size,
			FileMD5: hex.EncodeToString(f.MD5), FileSHA1: hex.EncodeToString(f.SHA1),
			FileSHA256: hex.EncodeToString(f.SHA256), Pipelines: []ciapi.PipelineView{},
		}
		if f.PipelineID != nil {
			views[i].Pipelines = pick(pipelines, []int64{*f.PipelineID})
		}
	}
	return views, err
}

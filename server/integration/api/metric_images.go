package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"hew/server/db"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
)

// metricImages are the routes of pictures of metrics that belong to an alert (gaps §13.2). The
// route of the content is ours: file_path names it.
type metricImages struct{}

func (a metricImages) routes() []rest.Route {
	const path = "/projects/{id}/alert_management_alerts/{alert_iid}/metric_images"
	const one = path + "/{image_id}"
	read := scope.ForProject(readAlert)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Post(path, read, a.create).Limit(maxMetricUpload).WithoutTransaction(),
		rest.Put(one, read, a.update),
		rest.Delete(one, read, a.delete),
		rest.Get(one+"/file", read, a.file),
	}
}

// maxMetricUpload limits a request with an image, in bytes. A larger file is refused with a text
// up to it.
const maxMetricUpload = 8 * integration.MaxMetricImage

type metricImageView struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	Filename  string    `json:"filename"`
	FilePath  string    `json:"file_path"`
	URL       *string   `json:"url"`
	URLText   *string   `json:"url_text"`
}

// metricImageViewOf returns a function that shows images of an alert.
func metricImageViewOf(a integration.Alert) func(integration.MetricImage) metricImageView {
	return func(i integration.MetricImage) metricImageView {
		return metricImageView{
			ID: i.ID, CreatedAt: i.CreatedAt, Filename: i.Filename, URL: i.URL, URLText: i.URLText,
			FilePath: fmt.Sprintf("/api/v4/projects/%d/alert_management_alerts/%d/metric_images/%d/file",
				a.ProjectID, a.IID, i.ID),
		}
	}
}

type ofAlert struct {
	AlertIID int64 `param:"alert_iid"`
}

// alert returns the alert that a route is about.
func (in ofAlert) alert(ctx context.Context, s scope.InProject) (integration.Alert, error) {
	return integration.Alerts(s.Store, s.Project.Container()).One(ctx, integration.ByIID(in.AlertIID))
}

type metricImageList struct {
	ofAlert
	rest.Paging
}

func (metricImages) list(
	ctx context.Context, s scope.InProject, in metricImageList,
) (none rest.List[metricImageView], err error) {
	a, err := in.alert(ctx, s)
	if err != nil {
		return none, err
	}
	return rest.Pages(metricImageViewOf(a))(integration.MetricImages(s.Store, a).List(ctx, scope.PageOf(in.Paging)))
}

type metricImageNew struct {
	ofAlert
	File    *rest.File `param:"file,required"`
	URL     *string    `param:"url"`
	URLText *string    `param:"url_text"`
}

func (metricImages) create(
	ctx context.Context, s scope.InProject, in metricImageNew,
) (none metricImageView, err error) {
	a, err := in.alert(ctx, s)
	if err != nil {
		return none, err
	}
	content, err := io.ReadAll(io.LimitReader(in.File.Open(), integration.MaxMetricImage+1))
	if err != nil {
		return none, fmt.Errorf("read the metric image: %w", err)
	}
	i := integration.MetricImage{Filename: in.File.Name, URL: in.URL, URLText: in.URLText}
	return rest.Show(metricImageViewOf(a))(integration.UploadMetricImage(ctx, s.Store, a, i, content))
}

type metricImageID struct {
	ofAlert
	ImageID int64 `param:"image_id"`
}

type metricImageChange struct {
	metricImageID
	URL     rest.Opt[string] `param:"url"`
	URLText rest.Opt[string] `param:"url_text"`
	_       struct{}         `atleast:"url url_text"`
}

func (in metricImageChange) into(i *integration.MetricImage) error {
	if in.URL.Given() {
		i.URL = address(in.URL)
	}
	if in.URLText.Given() {
		i.URLText = address(in.URLText)
	}
	return nil
}

func (metricImages) update(
	ctx context.Context, s scope.InProject, in metricImageChange,
) (none metricImageView, err error) {
	a, err := in.alert(ctx, s)
	if err != nil {
		return none, err
	}
	return rest.Show(metricImageViewOf(a))(integration.ChangeMetricImage(ctx, s.Store, a, in.ImageID, in.into))
}

func (metricImages) delete(ctx context.Context, s scope.InProject, in metricImageID) (rest.None, error) {
	a, err := in.alert(ctx, s)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, integration.MetricImages(s.Store, a).Delete(ctx, db.ByID(in.ImageID), rest.Unmodified)
}

// file returns the content. Its type is one of pictures that hold no script.
func (metricImages) file(ctx context.Context, s scope.InProject, in metricImageID) (rest.Raw, error) {
	a, err := in.alert(ctx, s)
	if err != nil {
		return nil, err
	}
	i, err := integration.MetricImages(s.Store, a).One(ctx, db.ByID(in.ImageID))
	if err != nil {
		return nil, err
	}
	content, err := integration.ReadMetricImage(ctx, s.Store, i)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", i.Type)
		w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", i.Filename))
		http.ServeContent(w, r, "", i.CreatedAt, bytes.NewReader(content))
	}), nil
}

package integration

import (
	"bytes"
	"context"
	"io"
	"time"

	"hew/server/blob"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// MetricImage is a picture of a metric that belongs to an alert (gaps §13.2).
type MetricImage struct {
	ID        int64     `db:"id,auto"`
	ProjectID int64     `db:"project_id"`
	AlertID   int64     `db:"alert_id"`
	BlobID    int64     `db:"blob_id"`
	Filename  string    `db:"filename"`
	Type      string    `db:"type"` // image/png
	URL       *string   `db:"url"`  // where the metric is shown
	URLText   *string   `db:"url_text"`
	CreatedAt time.Time `db:"created_at,auto"`
	UpdatedAt time.Time `db:"updated_at,auto"`
}

// MaxMetricImage is the maximum size of a metric image, in bytes.
const MaxMetricImage = 1 << 20

// MetricImages returns the images of an alert.
func MetricImages(st *db.Store, a Alert) db.Held[MetricImage] {
	images := db.NewHeld[MetricImage](st, db.Container{ProjectID: &a.ProjectID}, "alert_metric_images")
	images.Filter = func(w *db.Where) { w.And(`t.alert_id = @alert`, a.ID) }
	return images
}

// UploadMetricImage stores an image of an alert from file name, URL and text of i. The type is
// taken from the content, not from the name. The store must be bound to the pool, as for blob.Put.
func UploadMetricImage(
	ctx context.Context, st *db.Store, a Alert, i MetricImage, content []byte,
) (MetricImage, error) {
	i.Type = tree.AvatarType(content)
	switch {
	case len(content) > MaxMetricImage:
		return i, fault.BadRequest("400 Bad request - File is too large")
	case i.Type == "":
		return i, fault.BadRequest("400 Bad request - File " + tree.Unsupported(tree.AvatarKinds()))
	}
	if err := checkMetricImage(i); err != nil {
		return i, err
	}
	ref, err := blob.Put(ctx, st, bytes.NewReader(content), MaxMetricImage)
	if err != nil {
		return i, err
	}
	i.ProjectID, i.AlertID, i.BlobID, i.Filename = a.ProjectID, a.ID, ref.ID, tree.FileName(i.Filename)
	return MetricImages(st, a).Create(ctx, i)
}

// ChangeMetricImage changes the URL and the text of an image of an alert.
func ChangeMetricImage(
	ctx context.Context, st *db.Store, a Alert, id int64, change func(*MetricImage) error,
) (MetricImage, error) {
	return MetricImages(st, a).Change(ctx, db.ByID(id), db.Checked(change, checkMetricImage))
}

// ReadMetricImage returns the content of an image.
func ReadMetricImage(ctx context.Context, st *db.Store, i MetricImage) ([]byte, error) {
	ref, err := blob.Load(ctx, st, i.BlobID)
	if err != nil {
		return nil, err
	}
	r, err := blob.Open(ctx, st, ref, 0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// checkMetricImage returns the problems of the link of an image.
func checkMetricImage(i MetricImage) error {
	var wrong check.Problems
	if i.URL != nil && *i.URL != "" {
		if !isHTTP(*i.URL) {
			wrong.On("url", "must be a valid URL")
		}
		wrong.Fits("url", *i.URL, 255)
	}
	if i.URLText != nil {
		wrong.Fits("url_text", *i.URLText, 128)
	}
	return wrong.Err()
}

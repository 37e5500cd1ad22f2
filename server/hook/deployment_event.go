package hook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci"
	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/git/object"
	"hew/server/tree"
)

// deploymentPayload is a deployment that began or is over. The user and the project are shown
// beside it (gaps §13.6).
type deploymentPayload struct {
	ObjectKind  string    `json:"object_kind"` // deployment
	Status      string    `json:"status"`      // see toldDeployments
	ChangedAt   time.Time `json:"status_changed_at"`
	ID          int64     `json:"deployment_id"`
	JobID       *int64    `json:"deployable_id"`  // null: somebody reported it
	JobURL      *string   `json:"deployable_url"` // likewise
	Environment string    `json:"environment"`
	Tier        string    `json:"environment_tier"`
	Slug        string    `json:"environment_slug"`
	ExternalURL *string   `json:"environment_external_url"`
	ShortSHA    string    `json:"short_sha"`
	UserURL     *string   `json:"user_url"` // null: the user is gone
	CommitURL   string    `json:"commit_url"`
	CommitTitle *string   `json:"commit_title"` // null: it is not in the repository any more
	Ref         string    `json:"ref"`
}

// deploymentRow is a deployment with its environment and its job.
type deploymentRow struct {
	ID          int64     `db:"id"`
	Status      string    `db:"status"`
	ChangedAt   time.Time `db:"changed_at"`
	JobID       *int64    `db:"job_id"`
	UserID      *int64    `db:"user_id"`
	Username    *string   `db:"username"`
	Ref         string    `db:"ref"`
	Tag         bool      `db:"tag"`
	Commit      object.ID `db:"commit_oid"`
	Protected   bool      `db:"protected"`
	Environment string    `db:"environment"`
	Tier        string    `db:"tier"`
	Slug        string    `db:"slug"`
	ExternalURL *string   `db:"external_url"`
}

// toldDeployments are the statuses that hooks are told of.
var toldDeployments = []string{"running", "success", "failed", "canceled"}

// deploymentListener sends deployments that begin or are over to the hooks of their projects and of
// the groups above. Pages are at the address web.
func deploymentListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e ci.Deployed) error {
		d, err := db.One[deploymentRow](ctx, st, "Deployment", `
			select d.id, d.status, d.updated_at as changed_at, d.job_id, d.user_id, u.username, d.ref, d.tag, d.commit_oid,
				coalesce(j.protected, false) as protected, e.name as environment, e.tier, e.slug, e.external_url
			from deployments d join environments e on e.id = d.environment_id left join jobs j on j.id = d.job_id
				left join users u on u.id = d.user_id
			where d.id = @id`, pgx.NamedArgs{"id": e.ID})
		if err != nil || !slices.Contains(toldDeployments, d.Status) {
			return err
		}
		h := occurrence{
			flag: "deployment_events", at: audience{project: &e.ProjectID}, user: db.OrZero(d.UserID),
			protected: d.Protected,
		}
		if !d.Tag {
			h.branch = d.Ref
		}
		return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
			p, err := newDeploymentPayload(ctx, st, web, e.ProjectID, d)
			return []any{p}, err
		})
	})
}

func newDeploymentPayload(
	ctx context.Context, st *db.Store, web string, projectID int64, d deploymentRow,
) (payload deploymentPayload, err error) {
	p, err := tree.FindProject(ctx, st, projectID)
	if err != nil {
		return payload, err
	}
	page := web + "/" + p.FullPath + "/-/"
	payload = deploymentPayload{
		ObjectKind: "deployment", Status: d.Status, ChangedAt: wholeSeconds(d.ChangedAt), ID: d.ID, JobID: d.JobID,
		Environment: d.Environment, Tier: d.Tier, Slug: d.Slug, ExternalURL: d.ExternalURL,
		ShortSHA: d.Commit.String()[:8], CommitURL: page + "commit/" + d.Commit.String(), Ref: d.Ref,
	}
	if d.JobID != nil {
		payload.JobURL = new(fmt.Sprintf("%sjobs/%d", page, *d.JobID))
	}
	if d.Username != nil {
		payload.UserURL = new(web + "/" + *d.Username)
	}
	name := code.CommitName{ProjectID: projectID, ID: d.Commit}
	commits, err := code.CommitsNamed(ctx, st, []code.CommitName{name})
	if c, ok := commits[name]; ok {
		payload.CommitTitle = new(c.Title())
	}
	return payload, err
}

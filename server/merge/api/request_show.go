package api

import (
	"context"
	"time"

	"hew/server/code"
	codeapi "hew/server/code/api"
	"hew/server/db"
	"hew/server/markdown"
	"hew/server/merge"
	"hew/server/protect"
	"hew/server/scope"
)

// oneOptions are the parameters of a single answer.
type oneOptions struct {
	HTML     bool `param:"render_html"`
	Diverged bool `param:"include_diverged_commits_count"`
	Rebase   bool `param:"include_rebase_in_progress"`
}

// oneDetails is what a single answer shows of the branches of a merge request (spec 2 §2.4).
type oneDetails struct {
	ChangesCount      *string       `json:"changes_count"` // null without a version; "1000+" beyond a limit
	FirstContribution bool          `json:"first_contribution"`
	Started           *time.Time    `json:"latest_build_started_at"`
	Finished          *time.Time    `json:"latest_build_finished_at"`
	Deployed          *time.Time    `json:"first_deployed_to_production_at"`
	Pipeline          *pipelineView `json:"pipeline"`
	HeadPipeline      *pipelineView `json:"head_pipeline"`
	User              *mergingUser  `json:"user"`
	DivergedCount     *int          `json:"diverged_commits_count,omitempty"`
	RebaseInProgress  *bool         `json:"rebase_in_progress,omitempty"`
	TitleHTML         *string       `json:"title_html,omitempty"`
	DescriptionHTML   *string       `json:"description_html,omitempty"`
}

// mergingUser is what the caller can do.
type mergingUser struct {
	CanMerge bool `json:"can_merge"`
}

// detailed returns the view of a merge request with what the options ask for.
func (a requests) detailed(ctx context.Context, s InRequest, in oneOptions) (v oneView, err error) {
	if v, err = a.one(ctx, s.InProject, s.Request); err != nil {
		return v, err
	}
	if in.Rebase {
		v.RebaseInProgress = new(s.Request.RebaseSince != nil)
	}
	if in.Diverged {
		n, err := s.diverged(ctx)
		if err != nil {
			return v, err
		}
		v.DivergedCount = &n
	}
	if in.HTML {
		if v.TitleHTML, err = rendered(s.Request.Title); err != nil {
			return v, err
		}
		v.DescriptionHTML, err = rendered(db.OrZero(s.Request.Description))
	}
	return v, err
}

func rendered(text string) (*string, error) {
	html, err := markdown.HTML(text)
	return &html, err
}

// diverged returns how many commits the target branch has that the source branch lacks.
func (s InRequest) diverged(ctx context.Context) (int, error) {
	if s.Request.Head.IsZero() {
		return 0, nil
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return 0, err
	}
	return merge.Diverged(ctx, g, s.Request)
}

// details returns what a single answer shows of the branches.
func (a requests) details(ctx context.Context, s scope.InProject, r merge.Request) (d oneDetails, err error) {
	v, ok, err := merge.LastVersion(ctx, s.Store, r)
	if err != nil {
		return d, err
	}
	if ok {
		d.ChangesCount = new(v.Size())
	}
	if d.FirstContribution, err = merge.IsFirstContribution(ctx, s.Store, r); err != nil {
		return d, err
	}
	if d.Deployed, err = merge.FirstDeployed(ctx, s.Store, r); err != nil {
		return d, err
	}
	if err := d.showPipeline(ctx, a.Site, s, r); err != nil || s.Caller.ID() == 0 {
		return d, err
	}
	protection, err := protect.ReadProtection(ctx, s.Store, s.Project.ID, codeapi.AuthorOf(s).Pusher)
	if err != nil {
		return d, err
	}
	d.User = &mergingUser{protection.MayMerge(r.TargetBranch)}
	return d, nil
}

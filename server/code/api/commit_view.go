package api

import (
	"context"
	"encoding/json"
	"time"

	"hew/server/code"
	"hew/server/git/object"
	"hew/server/tree"
	"hew/server/view"
)

// shortLength is the number of digits of a short_id.
const shortLength = 8

// commitTime is written in the zone of the author or committer.
type commitTime time.Time

// MarshalJSON writes 2026-11-29T18:00:00.000+01:00.
func (t commitTime) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(t).Format("2006-01-02T15:04:05.000-07:00"))
}

// commitView is a commit as lists and other things show it (spec 1 §2.5).
type commitView struct {
	ID               string              `json:"id"`
	ShortID          string              `json:"short_id"`
	CreatedAt        commitTime          `json:"created_at"`
	ParentIDs        []string            `json:"parent_ids"`
	Title            string              `json:"title"`
	Message          string              `json:"message"`
	AuthorName       string              `json:"author_name"`
	AuthorEmail      string              `json:"author_email"`
	AuthoredDate     commitTime          `json:"authored_date"`
	CommitterName    string              `json:"committer_name"`
	CommitterEmail   string              `json:"committer_email"`
	CommittedDate    commitTime          `json:"committed_date"`
	Trailers         map[string]string   `json:"trailers"`
	ExtendedTrailers map[string][]string `json:"extended_trailers"`
	WebURL           string              `json:"web_url"`
	Stats            *commitStats        `json:"stats,omitempty"`
}

type commitStats struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	Total     int `json:"total"`
}

// commitDetails is a commit on its own, with what else is known of it.
type commitDetails struct {
	commitView
	Status       *string       `json:"status"` // of its last pipeline
	ProjectID    int64         `json:"project_id"`
	LastPipeline *lastPipeline `json:"last_pipeline"`
}

// commitViews shows commits of a project.
type commitViews struct {
	*view.Site
	project tree.Project
}

func (a commitViews) view(c code.Commit) commitView {
	v := commitView{
		ID: c.ID.String(), ShortID: c.ID.Short(shortLength), CreatedAt: commitTime(c.Committed()),
		ParentIDs: make([]string, len(c.Parents)), Title: c.Title(), Message: c.Message,
		AuthorName: c.AuthorName, AuthorEmail: c.AuthorEmail, AuthoredDate: commitTime(c.Authored()),
		CommitterName: c.CommitterName, CommitterEmail: c.CommitterEmail, CommittedDate: commitTime(c.Committed()),
		Trailers: map[string]string{}, ExtendedTrailers: map[string][]string{},
		WebURL: a.Web(a.project.FullPath + "/-/commit/" + c.ID.String()),
	}
	for i, id := range c.Parents {
		v.ParentIDs[i] = id.String()
	}
	return v
}

// CommitView is a commit as other parts show it beside what they keep.
type CommitView = commitView

// ViewCommit returns how a commit of a project is shown.
func ViewCommit(site *view.Site, p tree.Project, c code.Commit) CommitView {
	return commitViews{site, p}.view(c)
}

// withTrailers adds the trailers of the message.
func (v commitView) withTrailers() commitView {
	for _, t := range object.Trailers(v.Message) {
		v.Trailers[t.Key] = t.Value
		v.ExtendedTrailers[t.Key] = append(v.ExtendedTrailers[t.Key], t.Value)
	}
	return v
}

// details shows a commit with its trailers and, if they are asked for, its stats.
func (a commitViews) details(ctx context.Context, g *code.Git, c code.Commit, stats bool) (commitDetails, error) {
	list := []commitView{a.view(c).withTrailers()}
	var err error
	if stats {
		err = addStats(ctx, g, []code.Commit{c}, list)
	}
	return commitDetails{commitView: list[0], ProjectID: a.project.ID}, err
}

// addStats adds the stats of commits to their views.
func addStats(ctx context.Context, g *code.Git, commits []code.Commit, views []commitView) error {
	stats, err := g.StatsOf(ctx, commits)
	for i, c := range commits {
		s := stats[c.ID]
		views[i].Stats = &commitStats{s.Added, s.Deleted, s.Added + s.Deleted}
	}
	return err
}

// modeText returns a mode as git writes it, 0 for a file that is not there.
func modeText(m object.Mode) string {
	if m == 0 {
		return "0"
	}
	return m.String()
}

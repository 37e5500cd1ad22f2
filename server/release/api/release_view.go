package api

import (
	"cmp"
	"context"
	"net/url"
	"time"

	"hew/server/code"
	codeapi "hew/server/code/api"
	"hew/server/db"
	"hew/server/markdown"
	"hew/server/policy"
	"hew/server/release"
	"hew/server/tree"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// basicView is a release in a simple list.
type basicView struct {
	Name        string    `json:"name"`
	TagName     string    `json:"tag_name"`
	Description *string   `json:"description"`
	CreatedAt   time.Time `json:"created_at"`
	ReleasedAt  time.Time `json:"released_at"`
	Upcoming    bool      `json:"upcoming_release"`
}

func basicViewOf(r release.Release) basicView {
	return basicView{r.Title(), r.Tag, r.Description, r.CreatedAt, r.ReleasedAt, r.Upcoming()}
}

// releaseView is a release as answers show it. Callers who may not read the code see neither its
// commit nor its sources.
type releaseView struct {
	basicView
	DescriptionHTML *string          `json:"description_html,omitempty"`
	Author          *view.BasicUser  `json:"author,omitempty"`
	Milestones      []milestoneView  `json:"milestones"`
	Assets          assetsView       `json:"assets"`
	Links           releaseAddresses `json:"_links"`
	*codeView
}

// codeView is what a release shows of the repository.
type codeView struct {
	Commit     *codeapi.CommitView `json:"commit"` // null if the tag was deleted
	CommitPath string              `json:"commit_path,omitempty"`
	TagPath    string              `json:"tag_path,omitempty"`
	Evidences  []struct{}          `json:"evidences"` // none: this server collects no evidence
}

type milestoneView struct {
	workapi.MilestoneView
	IssueStats issueStats `json:"issue_stats"`
}

// issueStats counts the issues of a milestone. All are 0 until there are issues.
type issueStats struct {
	Total  int `json:"total"`
	Closed int `json:"closed"`
}

type assetsView struct {
	Count   int              `json:"count"`
	Sources []release.Source `json:"sources,omitempty"`
	Links   []linkView       `json:"links"`
}

// releaseAddresses are those of pages about a release. Lists of what the caller may not read have
// none.
type releaseAddresses struct {
	ClosedIssues string `json:"closed_issues_url,omitempty"`
	ClosedMerges string `json:"closed_merge_requests_url,omitempty"`
	EditURL      string `json:"edit_url,omitempty"`
	MergedMerges string `json:"merged_merge_requests_url,omitempty"`
	OpenedIssues string `json:"opened_issues_url,omitempty"`
	OpenedMerges string `json:"opened_merge_requests_url,omitempty"`
	Self         string `json:"self"`
}

// place is a project with what the caller may do in it.
type place struct {
	project tree.Project
	can     func(policy.Ability) bool
}

// releaseViews shows releases.
type releaseViews struct {
	*view.Site
	html bool // add descriptions in HTML
}

// of shows releases of projects, each of which is in at by its id. It reads what all of them show
// at once.
func (v releaseViews) of(
	ctx context.Context, st *db.Store, at map[int64]place, list []release.Release,
) ([]releaseView, error) {
	var tags []code.TagName
	var ids []int64
	for _, r := range list {
		ids = append(ids, r.MilestoneIDs...)
		if at[r.ProjectID].can(policy.ReadCode) {
			tags = append(tags, code.TagName{ProjectID: r.ProjectID, Name: r.Tag})
		}
	}
	commits, err := code.CommitsOfTags(ctx, st, tags)
	if err != nil {
		return nil, err
	}
	milestones, err := work.MilestonesByID(ctx, st, ids)
	if err != nil {
		return nil, err
	}
	views := make([]releaseView, len(list))
	for i, r := range list {
		p := at[r.ProjectID]
		w := releaseView{
			basicView: basicViewOf(r), Author: v.Author(r.Author), Milestones: []milestoneView{},
			Assets: v.assets(r), Links: v.addresses(p, r),
		}
		if p.can(policy.ReadCode) {
			c, found := commits[code.TagName{ProjectID: r.ProjectID, Name: r.Tag}]
			w.codeView = v.code(p.project, r, c, found)
			w.Assets.Sources = r.Sources(v.Base)
			w.Assets.Count += len(w.Assets.Sources)
		}
		for _, id := range r.MilestoneIDs {
			if m, ok := milestones[id]; ok {
				w.Milestones = append(w.Milestones, milestoneView{MilestoneView: workapi.ViewMilestone(v.Site, m)})
			}
		}
		if v.html {
			html, err := markdown.HTML(*cmp.Or(r.Description, new("")))
			if err != nil {
				return nil, err
			}
			w.DescriptionHTML = &html
		}
		views[i] = w
	}
	return views, nil
}

// code shows the commit of a release, if its tag has one.
func (v releaseViews) code(p tree.Project, r release.Release, c code.Commit, found bool) *codeView {
	w := &codeView{Evidences: []struct{}{}}
	if found {
		shown := codeapi.ViewCommit(v.Site, p, c)
		w.Commit = &shown
		w.CommitPath = "/" + p.FullPath + "/-/commit/" + c.ID.String()
		w.TagPath = "/" + p.FullPath + "/-/tags/" + url.PathEscape(r.Tag)
	}
	return w
}

func (v releaseViews) assets(r release.Release) assetsView {
	w := assetsView{Count: len(r.Links), Links: make([]linkView, len(r.Links))}
	for i, l := range r.Links {
		w.Links[i] = linkViewOf(v.Site, r, l)
	}
	return w
}

func (v releaseViews) addresses(p place, r release.Release) releaseAddresses {
	page := v.Web(p.project.FullPath + "/-/")
	w := releaseAddresses{Self: page + "releases/" + url.PathEscape(r.Tag)}
	list := func(of, state string) string {
		return page + of + "?release_tag=" + url.QueryEscape(r.Tag) + "&scope=all&state=" + state
	}
	if p.can(policy.ReadIssue) {
		w.OpenedIssues, w.ClosedIssues = list("issues", "opened"), list("issues", "closed")
	}
	if p.can(policy.ReadMergeRequest) {
		const of = "merge_requests"
		w.OpenedMerges, w.MergedMerges, w.ClosedMerges = list(of, "opened"), list(of, "merged"), list(of, "closed")
	}
	if p.can(adminRelease) {
		w.EditURL = w.Self + "/edit"
	}
	return w
}

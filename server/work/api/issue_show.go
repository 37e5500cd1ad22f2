package api

import (
	"context"

	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// IssueView is an issue as answers show it.
type IssueView = issueView

// ViewIssues returns how answers of other domains show issues to a caller, by id. What they refer
// to is read once for all of them.
func ViewIssues(
	ctx context.Context, s scope.Anyone, site *view.Site, issues map[int64]work.Issue,
) (map[int64]IssueView, error) {
	list := make([]work.Issue, 0, len(issues))
	for _, i := range issues {
		list = append(list, i)
	}
	views, err := issueViews{Site: site}.of(ctx, s, list)
	byID := make(map[int64]IssueView, len(views))
	for _, v := range views {
		byID[v.ID] = v
	}
	return byID, err
}

// ViewIssueList returns how answers of other domains show a list of issues to a caller who asked in
// the group or project with a full path.
func ViewIssueList(
	ctx context.Context, s scope.Anyone, site *view.Site, list []work.Issue, from string,
) ([]IssueView, error) {
	return issueViews{Site: site, from: from}.of(ctx, s, list)
}

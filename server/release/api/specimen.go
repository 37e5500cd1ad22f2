package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/release"
	"hew/server/work"
)

// specimen gives a project a commit with n tags, n milestones and n releases, each with n links and
// all of the milestones. A group has the releases of its project.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	if at.ProjectID == nil {
		return part.Values{}, nil
	}
	p := at.Project
	by := code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}
	if _, err := code.CreateCommit(ctx, h, code.NewCommit{
		Project: p, By: by, Branch: p.Head, Message: "Add a file",
		Actions: []code.Action{{Do: "create", Path: "file", Content: new("text\n")}},
	}); err != nil {
		return nil, err
	}
	links, titles := []release.Link{}, []string{}
	for i := range n {
		links = append(links, release.Link{
			Name: fmt.Sprint("file ", i), URL: fmt.Sprint("https://example.com/", i), Path: new(fmt.Sprint("/bin/f", i)),
		})
		m, err := work.CreateMilestone(ctx, h, at.Container, at.Owner, func(m *work.Milestone) error {
			m.Title = fmt.Sprintf("v%d of %s", i, at)
			return nil
		})
		if err != nil {
			return nil, err
		}
		titles = append(titles, m.Title)
	}
	var last release.Release
	for i := range n {
		var err error
		last, err = release.Create(ctx, h, release.NewRelease{
			Project: p, By: by, Tag: fmt.Sprint("v", i), Ref: p.Head, Description: new("Text"), Links: links,
			Milestones: release.MilestoneChoice{Titles: titles},
		})
		if err != nil {
			return nil, err
		}
	}
	return part.Values{
		"tag_name": last.Tag, "link_id": fmt.Sprint(last.Links[0].ID), "suffix_path": "assets/links",
		"direct_asset_path": "bin/f0",
	}, nil
}

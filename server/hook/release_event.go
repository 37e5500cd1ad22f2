package hook

import (
	"context"
	"net/url"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/release"
	"hew/server/tree"
)

// releasePayload is a release that was created, updated or deleted; its project is shown beside it
// (gaps §13.6).
type releasePayload struct {
	ObjectKind  string         `json:"object_kind"` // release
	ID          int64          `json:"id"`
	CreatedAt   time.Time      `json:"created_at"`
	ReleasedAt  time.Time      `json:"released_at"`
	Name        string         `json:"name"`
	Description *string        `json:"description"`
	Tag         string         `json:"tag"`
	URL         string         `json:"url"`
	Action      release.Action `json:"action"`
	Assets      assetsPayload  `json:"assets"`
	Commit      *bareCommit    `json:"commit"` // null if the tag was deleted
}

type assetsPayload struct {
	Count   int              `json:"count"`
	Links   []linkPayload    `json:"links"`
	Sources []release.Source `json:"sources"`
}

type linkPayload struct {
	ID       int64  `json:"id"`
	LinkType string `json:"link_type"`
	Name     string `json:"name"`
	URL      string `json:"url"`
}

// bareCommit is a commit without the files that it changed.
type bareCommit struct {
	ID        string       `json:"id"`
	Message   string       `json:"message"`
	Title     string       `json:"title"`
	Timestamp time.Time    `json:"timestamp"`
	URL       string       `json:"url"`
	Author    ownerPayload `json:"author"`
}

// releaseListener sends changes of releases to the hooks of their projects and of the groups above.
// Pages are at the address web.
func releaseListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e release.Changed) error {
		o := occurrence{
			flag: "releases_events", at: audience{groups: []int64{e.Project.NamespaceID}, project: &e.Project.ID},
		}
		return enqueueDeliveries(ctx, st, o, func() ([]any, error) {
			p, err := newReleasePayload(ctx, st, web, e)
			return []any{p}, err
		})
	})
}

func newReleasePayload(ctx context.Context, st *db.Store, web string, e release.Changed) (releasePayload, error) {
	r, page := e.Release, web+"/"+e.Project.FullPath+"/-/"
	p := releasePayload{
		ObjectKind: "release", ID: r.ID, CreatedAt: wholeSeconds(r.CreatedAt), ReleasedAt: wholeSeconds(r.ReleasedAt),
		Name: r.Title(), Description: r.Description, Tag: r.Tag, URL: page + "releases/" + url.PathEscape(r.Tag),
		Action: e.Action, Assets: assetsPayload{Links: []linkPayload{}, Sources: r.Sources(web)},
	}
	for _, l := range r.Links {
		p.Assets.Links = append(p.Assets.Links, linkPayload{l.ID, l.Type, l.Name, l.URL})
	}
	p.Assets.Count = len(p.Assets.Links) + len(p.Assets.Sources)
	tag := code.TagName{ProjectID: r.ProjectID, Name: r.Tag}
	commits, err := code.CommitsOfTags(ctx, st, []code.TagName{tag})
	if c, ok := commits[tag]; ok {
		p.Commit = newBareCommit(web, e.Project, c)
	}
	return p, err
}

func newBareCommit(web string, p tree.Project, c code.Commit) *bareCommit {
	return &bareCommit{
		ID: c.ID.String(), Message: c.Message, Title: c.Title(), Timestamp: c.Committed(),
		URL: web + "/" + p.FullPath + "/-/commit/" + c.ID.String(), Author: ownerPayload{c.AuthorName, c.AuthorEmail},
	}
}

// sampleRelease returns an event of the latest release of the project.
func sampleRelease(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	r, err := release.Latest(ctx, st, at.project.ID)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return sampleMissing("releases")(ctx, st, at)
	}
	if err != nil {
		return nil, err
	}
	return newReleasePayload(ctx, st, at.web, release.Changed{Project: at.project, Release: r, Action: release.Creating})
}

package hook

import (
	"context"
	"net/url"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/wiki"
)

// wikiPayload is a page of a wiki that was changed by the API (gaps §13.6). The user and, except at
// the wiki of a group, the project are shown beside it.
type wikiPayload struct {
	ObjectKind string         `json:"object_kind"` // wiki_page
	Wiki       hookWiki       `json:"wiki"`
	Attributes wikiAttributes `json:"object_attributes"`
}

type hookWiki struct {
	WebURL            string `json:"web_url"`
	GitSSHURL         string `json:"git_ssh_url"`
	GitHTTPURL        string `json:"git_http_url"`
	PathWithNamespace string `json:"path_with_namespace"`
	DefaultBranch     string `json:"default_branch"`
}

type wikiAttributes struct {
	Title     string      `json:"title"`
	Content   string      `json:"content"`
	Format    wiki.Format `json:"format"`
	Message   string      `json:"message"` // of the commit
	Slug      string      `json:"slug"`
	URL       string      `json:"url"`
	Action    string      `json:"action"` // create, update, delete
	DiffURL   string      `json:"diff_url"`
	VersionID string      `json:"version_id"` // of the commit
}

// wikiListener sends changes of pages to the hooks of the project or group, and of the groups above
// it.
func wikiListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e wiki.PageChanged) error {
		h := occurrence{flag: "wiki_page_events", user: e.By.User.ID}
		if e.Group != nil {
			h.at.groups = []int64{e.Group.ID}
		} else {
			h.at = audience{groups: []int64{e.At.Project.NamespaceID}, project: &e.At.Project.ID}
		}
		return enqueueDeliveries(ctx, st, h, func() ([]any, error) { return []any{newWikiPayload(web, e)}, nil })
	})
}

func newWikiPayload(web string, e wiki.PageChanged) wikiPayload {
	path, pages := e.At.Project.FullPath, e.At.Project.FullPath
	if e.Group != nil {
		path, pages = e.Group.FullPath, "groups/"+e.Group.FullPath
	}
	pages = web + "/" + pages + "/-/wikis/"
	slug := strings.ReplaceAll(url.PathEscape(e.Page.Slug), "%2F", "/")
	version := e.Version.String()
	return wikiPayload{
		ObjectKind: "wiki_page",
		Wiki: hookWiki{
			WebURL: pages + "home", GitSSHURL: "git@" + hostOf(web) + ":" + path + ".wiki.git",
			GitHTTPURL: web + "/" + path + ".wiki.git", PathWithNamespace: path + ".wiki", DefaultBranch: e.Head,
		},
		Attributes: wikiAttributes{
			Title: e.Page.Title, Content: e.Page.Content, Format: e.Page.Format, Message: e.Message, Slug: e.Page.Slug,
			URL: pages + slug, Action: e.Action, DiffURL: pages + slug + "/diff?version_id=" + version,
			VersionID: version,
		},
	}
}

// sampleWiki returns the event of a page that does not exist, since there may be none.
func sampleWiki(_ context.Context, _ *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	return newWikiPayload(at.web, wiki.PageChanged{
		Writer: wiki.Writer{At: code.WikiOfProject(at.project)}, Action: "create", Head: at.project.Head,
		Page:    wiki.Page{Slug: "home", Title: "home", Format: wiki.Markdown, Content: "# Home\n"},
		Message: at.by.Username + " created page: home",
	}), nil
}

package api

import (
	"context"
	"net/http"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// wikiGuard is guard for the wiki of a project or group.
func (a smartHTTP) wikiGuard(serviceOf func(*http.Request) string) rest.Guard[client] {
	return clientGuard(serviceOf, client.ofWiki)
}

// ofWiki admits the client to the wiki of a project or group. A project whose own path ends in
// .wiki is served if nothing without that ending exists.
func (c client) ofWiki(ctx context.Context, path string) (client, error) {
	if c.Caller.JobToken != nil {
		return c, fault.Forbidden("A job token cannot read wikis. Use an access token.")
	}
	project, err := tree.ProjectFor(ctx, c.Store, path, c.Caller.ID())
	if err == nil {
		c.Project = project
		return c.ofProjectWiki()
	}
	if fault.CodeOf(err) != fault.CodeNotFound {
		return c, err
	}
	group, err := tree.GroupFor(ctx, c.Store, path, c.Caller.ID())
	switch {
	case err == nil:
		return c.ofGroupWiki(scope.InGroup{Anyone: c.Anyone, Group: group})
	case fault.CodeOf(err) != fault.CodeNotFound:
		return c, err
	}
	return c.ofProject(ctx, path+".wiki")
}

func (c client) ofProjectWiki() (client, error) {
	c.At, c.Path, c.By = code.WikiOfProject(c.Project.Project), c.Project.FullPath, AuthorOf(c.InProject)
	c.By.Web = false
	return c, c.admit(admission{
		what: "Project", path: c.Path, seen: c.Can(policy.ReadProject), can: c.Can, archived: c.Project.Archived,
		pending: c.Project.Pending,
		fetch:   policy.ReadWiki, push: policy.CreateWiki,
		noFetch: "You are not allowed to download files from this wiki.",
		noPush:  "You are not allowed to write to this project's wiki.",
	})
}

func (c client) ofGroupWiki(g scope.InGroup) (client, error) {
	c.At, c.Path = code.WikiOfGroup(g.Group.Group), g.Group.FullPath
	c.By = code.Author{Pusher: protect.Pusher{Who: g.Who()}, User: c.Caller.User}
	return c, c.admit(admission{
		what: "Group", path: c.Path, seen: g.Can(policy.ReadGroup), can: g.Can, pending: g.Group.Pending,
		fetch: policy.ReadWiki, push: policy.CreateWiki,
		noFetch: "You are not allowed to download files from this wiki.",
		noPush:  "You are not allowed to write to this group's wiki.",
	})
}

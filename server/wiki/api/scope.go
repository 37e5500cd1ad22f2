package api

import (
	"hew/server/code"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/wiki"
)

// inWiki is the scope of a route of the wiki of a project or group.
type inWiki struct {
	scope.Anyone
	wiki.Writer
}

func inProject(p scope.InProject) inWiki {
	return inWiki{p.Anyone, wiki.Writer{
		At: code.WikiOfProject(p.Project.Project),
		By: code.Author{Pusher: protect.Pusher{Who: p.Who()}, User: p.Caller.User, Web: true},
	}}
}

func inGroup(g scope.InGroup) inWiki {
	group := g.Group.Group
	return inWiki{g.Anyone, wiki.Writer{
		At: code.WikiOfGroup(group), Group: &group,
		By: code.Author{Pusher: protect.Pusher{Who: g.Who()}, User: g.Caller.User, Web: true},
	}}
}

// holder is what has wikis, with the guard of its routes.
type holder struct {
	base  string // of the routes
	guard func(need policy.Ability) rest.Guard[inWiki]
}

var holders = []holder{
	{"/projects/{id}/wikis", func(need policy.Ability) rest.Guard[inWiki] {
		return scope.As(scope.ForProject(need), inProject)
	}},
	{"/groups/{id}/wikis", func(need policy.Ability) rest.Guard[inWiki] {
		return scope.As(scope.ForGroup(need), inGroup)
	}},
}

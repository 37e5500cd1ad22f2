package api

import (
	"cmp"
	"context"
	"time"

	"hew/server/code"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// changelogs makes changelogs of the commits of projects (gaps §9.2).
type changelogs struct{}

func (a changelogs) routes() []rest.Route {
	const path = "/projects/{id}/repository/changelog"
	return []rest.Route{
		rest.Get(path, scope.ForProject(policy.ReadCode, "read_repository"), a.show),
		rest.Post(path, scope.ForProject(policy.PushCode), a.commit).Status(200),
	}
}

type changelog struct {
	Version string              `param:"version,required"`
	From    string              `param:"from"`
	To      string              `param:"to"`
	Date    rest.Opt[time.Time] `param:"date"`
	Trailer string              `param:"trailer" default:"Changelog"`
	Config  string              `param:"config_file" default:".gitlab/changelog_config.yml"`
}

// changelog returns what is asked for. The commits are those of a branch, unless to says otherwise.
func (in changelog) changelog(s scope.InProject, branch string) code.Changelog {
	return code.Changelog{
		Project: s.Project.Project, Version: in.Version, From: in.From, To: cmp.Or(in.To, code.Heads+branch),
		Date: in.Date.Or(time.Now()), Trailer: in.Trailer, Config: in.Config,
	}
}

type changelogView struct {
	Notes string `json:"notes"`
}

func (changelogs) show(ctx context.Context, s scope.InProject, in changelog) (changelogView, error) {
	notes, err := in.changelog(s, s.Project.Head).Notes(ctx, s.Store)
	return changelogView{notes}, err
}

type changelogCommit struct {
	changelog
	Branch  string `param:"branch"`
	File    string `param:"file" default:"CHANGELOG.md"`
	Message string `param:"message"`
}

func (changelogs) commit(ctx context.Context, s scope.InProject, in changelogCommit) (rest.None, error) {
	branch := cmp.Or(in.Branch, s.Project.Head)
	return rest.None{}, code.ChangelogCommit{
		Changelog: in.changelog.changelog(s, branch), By: AuthorOf(s), Branch: branch, File: in.File,
		Message: cmp.Or(in.Message, "Add changelog for version "+in.Version),
	}.Commit(ctx, s.Store)
}

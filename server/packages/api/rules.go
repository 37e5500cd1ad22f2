package api

import (
	"context"

	"hew/server/db"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
)

// rules serves the rules that protect packages (gaps §16.1).
type rules struct{}

func (a rules) routes() []rest.Route {
	const path = "/projects/{id}/packages/protection/rules"
	const one = path + "/{package_protection_rule_id}"
	admin := scope.ForProject(adminPackage)
	return []rest.Route{
		rest.Get(path, scope.ForProject(readPackageRules), a.list),
		rest.Post(path, admin, a.create),
		rest.Patch(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
	}
}

type ruleView struct {
	ID          int64   `json:"id"`
	ProjectID   int64   `json:"project_id"`
	NamePattern string  `json:"package_name_pattern"`
	PackageType string  `json:"package_type"`
	Delete      *string `json:"minimum_access_level_for_delete"`
	Push        *string `json:"minimum_access_level_for_push"`
}

func ruleViewOf(r packages.Rule) ruleView {
	return ruleView{r.ID, r.ProjectID, r.NamePattern, r.Type, r.Remove, r.Push}
}

type ruleList struct{ rest.Paging }

func (rules) list(ctx context.Context, s scope.InProject, in ruleList) (rest.List[ruleView], error) {
	return rest.Pages(ruleViewOf)(packages.Rules(s.Store, s.Project.ID).List(ctx, scope.PageOf(in.Paging)))
}

type ruleCreate struct {
	NamePattern string  `param:"package_name_pattern,required"`
	PackageType string  `param:"package_type,required" oneof:"conan generic helm maven npm nuget pypi terraform_module"`
	Delete      *string `param:"minimum_access_level_for_delete" oneof:"owner admin"`
	Push        *string `param:"minimum_access_level_for_push" oneof:"maintainer owner admin"`
}

func (rules) create(ctx context.Context, s scope.InProject, in ruleCreate) (ruleView, error) {
	return rest.Show(ruleViewOf)(packages.CreateRule(ctx, s.Store, packages.Rule{
		ProjectID: s.Project.ID, NamePattern: in.NamePattern, Type: in.PackageType, Remove: in.Delete, Push: in.Push,
	}))
}

type ruleID struct {
	ID int64 `param:"package_protection_rule_id"`
}

type ruleUpdate struct {
	ruleID
	NamePattern rest.Opt[string]  `param:"package_name_pattern"`
	PackageType rest.Opt[string]  `param:"package_type" oneof:"conan generic helm maven npm nuget pypi terraform_module"`
	Delete      rest.Opt[*string] `param:"minimum_access_level_for_delete" oneof:"owner admin"`
	Push        rest.Opt[*string] `param:"minimum_access_level_for_push" oneof:"maintainer owner admin"`
}

func (rules) update(ctx context.Context, s scope.InProject, in ruleUpdate) (ruleView, error) {
	return rest.Show(ruleViewOf)(packages.ChangeRule(ctx, s.Store, s.Project.ID, in.ID, func(r *packages.Rule) {
		r.NamePattern, r.Type = in.NamePattern.Or(r.NamePattern), in.PackageType.Or(r.Type)
		in.Delete.Into(&r.Remove)
		in.Push.Into(&r.Push)
	}))
}

func (rules) delete(ctx context.Context, s scope.InProject, in ruleID) (rest.None, error) {
	return rest.None{}, packages.Rules(s.Store, s.Project.ID).Delete(ctx, db.ByID(in.ID), rest.Unmodified)
}

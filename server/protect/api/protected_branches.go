package api

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// protectedBranches are those of a project, and of all projects in a group (gaps §7.4).
type protectedBranches struct{ protectedRefs }

func (a protectedBranches) routes() []rest.Route {
	const ofGroup, ofProject = "/groups/{id}/protected_branches", "/projects/{id}/protected_branches"
	a.kind = protect.Branch
	group := scope.HeldByGroup(adminGroupBranch)
	read := scope.HeldByProject(readProtectedRef)
	return slices.Concat(
		[]rest.Route{rest.Get(ofGroup, group, a.list), rest.Get(ofProject, read, a.listAround)},
		a.at(ofGroup, group, group),
		a.at(ofProject, read, scope.HeldByProject(adminProtectedRef)),
	)
}

// at returns the routes that groups and projects have alike.
func (a protectedBranches) at(path string, read, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{name}"
	return []rest.Route{
		rest.Get(one, read, a.show),
		rest.Post(path, admin, a.create),
		rest.Patch(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
	}
}

// protectedBranchView is a protected branch; views of approval rules contain it as well.
type protectedBranchView struct {
	protect.ProtectedRef
	PushAccessLevels      []refLevelView `json:"push_access_levels"`
	MergeAccessLevels     []refLevelView `json:"merge_access_levels"`
	UnprotectAccessLevels []refLevelView `json:"unprotect_access_levels"`
	Inherited             bool           `json:"inherited"` // by a project, from a group around it
}

// protectedBranchViewIn returns a function that shows branches to callers of a group or project.
func protectedBranchViewIn(c db.Container) func(protect.ProtectedRef) protectedBranchView {
	return func(r protect.ProtectedRef) protectedBranchView {
		return protectedBranchView{
			ProtectedRef:          r,
			PushAccessLevels:      refLevelViews(r, protect.Push),
			MergeAccessLevels:     refLevelViews(r, protect.Merge),
			UnprotectAccessLevels: refLevelViews(r, protect.Unprotect),
			Inherited:             c.ProjectID != nil && r.NamespaceID != nil,
		}
	}
}

type protectedBranchList struct {
	rest.Paging
	Search string `param:"search"`
}

func (a protectedBranches) list(
	ctx context.Context, s scope.Container, in protectedBranchList,
) (rest.List[protectedBranchView], error) {
	return rest.Pages(protectedBranchViewIn(s.Container))(
		protect.ProtectedRefs(s.Store, s.Container, a.kind).List(
			ctx, scope.PageOf(in.Paging), protect.RefsMatching(in.Search),
		))
}

// listAround lists what the groups above a project protect as well. The project's other routes do
// not know those branches, since they belong to the group.
func (a protectedBranches) listAround(
	ctx context.Context, s scope.Container, in protectedBranchList,
) (rest.List[protectedBranchView], error) {
	return rest.Pages(protectedBranchViewIn(s.Container))(
		protect.ListProtectedRefs(
			ctx, s.Store, s.Container, a.kind, scope.PageOf(in.Paging), protect.RefsMatching(in.Search),
		))
}

func (a protectedBranches) show(ctx context.Context, s scope.Container, in refName) (protectedBranchView, error) {
	return rest.Show(protectedBranchViewIn(s.Container))(a.one(ctx, s, in.Name))
}

// protectedBranchFields are the parameters that both creation and change take.
type protectedBranchFields struct {
	PushAccessLevel      *int       `param:"push_access_level" oneof:"0 30 40 60"`
	MergeAccessLevel     *int       `param:"merge_access_level" oneof:"0 30 40 60"`
	UnprotectAccessLevel *int       `param:"unprotect_access_level" oneof:"30 40 60"`
	AllowedToPush        []refGrant `param:"allowed_to_push"`
	AllowedToMerge       []refGrant `param:"allowed_to_merge"`
	AllowedToUnprotect   []refGrant `param:"allowed_to_unprotect"`
	protectedBranchFlags
}

type protectedBranchFlags struct {
	rest.Into[protect.ProtectedRef]
	AllowForcePush            rest.Opt[bool] `param:"allow_force_push"`
	CodeOwnerApprovalRequired rest.Opt[bool] `param:"code_owner_approval_required"`
}

func (in protectedBranchFields) edit(s scope.Container) protect.RefEdit {
	return protect.RefEdit{
		Visible: VisibleGroups(s.Caller),
		Fill:    func(r *protect.ProtectedRef) { rest.Merge(r, in.protectedBranchFlags, protect.ProtectedRef{}) },
		Roles: map[protect.RefAct]*int{
			protect.Push: in.PushAccessLevel, protect.Merge: in.MergeAccessLevel,
			protect.Unprotect: in.UnprotectAccessLevel,
		},
		Grants: map[protect.RefAct][]protect.RefGrant{
			protect.Push: grantsOf(in.AllowedToPush), protect.Merge: grantsOf(in.AllowedToMerge),
			protect.Unprotect: grantsOf(in.AllowedToUnprotect),
		},
	}
}

type protectedBranchNew struct {
	Name string `param:"name,required"`
	protectedBranchFields
}

func (a protectedBranches) create(
	ctx context.Context, s scope.Container, in protectedBranchNew,
) (protectedBranchView, error) {
	return rest.Show(protectedBranchViewIn(s.Container))(
		protect.CreateProtectedRef(ctx, s.Store, a.key(s, in.Name), in.edit(s)))
}

type protectedBranchChange struct {
	refName
	protectedBranchFields
}

func (a protectedBranches) update(
	ctx context.Context, s scope.Container, in protectedBranchChange,
) (protectedBranchView, error) {
	return rest.Show(protectedBranchViewIn(s.Container))(
		protect.ChangeProtectedRef(ctx, s.Store, a.key(s, in.Name), s.Who(), in.edit(s)))
}

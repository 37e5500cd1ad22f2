package api

import (
	"context"
	"slices"
	"strconv"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	groupapi "hew/server/group/api"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
	"hew/server/view"
)

// projects are repositories with all that belongs to them (gaps §4.1, §4.2).
type projects struct{ *view.Site }

func (a projects) routes() []rest.Route {
	anyone, user, admin := scope.ForAnyone(), scope.ForSigned(), scope.ForAdmin()
	read, manage := scope.ForProject(policy.ReadProject), scope.ForProject(adminProject)
	return []rest.Route{
		rest.Get("/projects", anyone, a.list),
		rest.Get("/groups/{id}/projects", scope.ForGroup(policy.ReadGroup), a.listInGroup),
		rest.Get("/groups/{id}/projects/shared", scope.ForGroup(policy.ReadGroup), a.listShared),
		rest.Get("/users/{user_id}/projects", anyone, a.listOfUser),
		rest.Get("/users/{user_id}/starred_projects", anyone, a.listStarred),
		rest.Get("/projects/{id}", read, a.show),
		rest.Post("/projects", user, a.create),
		rest.Post("/projects/user/{user_id}", admin, a.createFor).Priority(),
		rest.Put("/projects/{id}", manage, a.update),
		rest.Get("/projects/{id}/users", read, a.listUsers),
		rest.Get("/projects/{id}/groups", read, a.listGroups),
	}
}

func (a projects) show(ctx context.Context, s scope.InProject, x projectExtras) (projectView, error) {
	x.Simple = false
	return foundProjectView(ctx, a.Site, s.Anyone, s.Project, x)
}

type projectNew struct {
	NamespaceID  int64  `param:"namespace_id"`
	ObjectFormat string `param:"repository_object_format" default:"sha1" oneof:"sha1 sha256"`
	projectFields
	projectSeed
	_ struct{} `atleast:"name path"`
	_ struct{} `exclusive:"import_url template_name template_project_id"`
}

func (a projects) create(ctx context.Context, s scope.Signed, in projectNew) (projectView, error) {
	if in.NamespaceID == 0 {
		in.NamespaceID = s.Caller.User.NamespaceID
	}
	return a.make(ctx, s, s.Caller.User, in)
}

type projectNewFor struct {
	UserID int64 `param:"user_id"`
	projectNew
}

// createFor creates a project in the personal namespace of a user.
func (a projects) createFor(ctx context.Context, s scope.Admin, in projectNewFor) (projectView, error) {
	owner, err := tree.FindUser(ctx, s.Store, in.UserID)
	if err != nil {
		return projectView{}, err
	}
	in.NamespaceID = owner.NamespaceID
	return a.make(ctx, s.Signed, owner, in.projectNew)
}

// make creates a project with a creator and returns its view for the caller.
func (a projects) make(ctx context.Context, s scope.Signed, creator tree.User, in projectNew) (projectView, error) {
	if err := in.projectSeed.unavailable(); err != nil {
		return projectView{}, err
	}
	if in.RepositoryStorage.Given() && !s.Caller.Admin() {
		return projectView{}, fault.Forbidden("")
	}
	space, err := projectSpace(ctx, s.Anyone, strconv.FormatInt(in.NamespaceID, 10), creator, CreateProject)
	if err != nil {
		return projectView{}, err
	}
	settings, err := setting.Read(ctx, s.Store)
	if err != nil {
		return projectView{}, err
	}
	p := tree.NewProject("", "", space.ID)
	p.Visibility = db.ParseVisibility(settings.DefaultProjectVisibility)
	if space.Kind == "group" {
		p.Visibility = min(p.Visibility, space.Visibility)
	}
	p.Settings.RepositoryObjectFormat = in.ObjectFormat
	in.into(&p)
	if p.Settings.Mirror {
		p.Settings.MirrorUserID = &s.Caller.User.ID
	}
	if p, err = project.CreateProject(ctx, s.Store, p, creator, in.seed()); err != nil {
		return projectView{}, err
	}
	if err := in.AvatarParam.Store(ctx, s.Store, tree.PicturedBy(p.Container()), &p.Avatar); err != nil {
		return projectView{}, err
	}
	return projectViewOf(ctx, a.Site, s.Anyone, p, projectExtras{})
}

// projectSpace returns the namespace for a project of owner. It requires the abilities in a group,
// and a group that the caller may not see is not found. Only administrators may use the personal
// namespace of somebody else.
func projectSpace(
	ctx context.Context, s scope.Anyone, ref string, owner tree.User, need ...policy.Ability,
) (tree.Group, error) {
	space, err := tree.SpaceFor(ctx, s.Store, ref, s.Caller.ID())
	if err != nil {
		return tree.Group{}, err
	}
	in := scope.InGroup{Anyone: s, Group: space}
	switch {
	case space.ID == owner.NamespaceID:
		return space.Group, withinLimit(ctx, s, owner)
	case space.Kind == "user" && !s.Caller.Admin():
		return tree.Group{}, fault.Invalid("namespace", "is not valid")
	case space.Kind == "user":
		return space.Group, nil
	case !in.Can(policy.ReadGroup):
		return tree.Group{}, fault.NotFound("Namespace")
	case slices.ContainsFunc(need, func(a policy.Ability) bool { return !in.Can(a) }), s.Caller.User.External:
		return tree.Group{}, fault.Forbidden("")
	}
	return space.Group, nil
}

// SpaceForImport returns the namespace for a project that the caller imports: whoever may create
// projects there, and has the abilities.
func SpaceForImport(
	ctx context.Context, s scope.Anyone, ref string, need ...policy.Ability,
) (tree.Group, error) {
	return projectSpace(ctx, s, ref, s.Caller.User, append(need, CreateProject)...)
}

// withinLimit returns a fault if owner may not have another personal project. External users have
// none.
func withinLimit(ctx context.Context, s scope.Anyone, owner tree.User) error {
	if owner.External {
		return fault.Forbidden("")
	}
	n, err := project.CountProjects(ctx, s.Store, owner.NamespaceID)
	if err != nil {
		return err
	}
	if owner, err = tree.FindUser(ctx, s.Store, owner.ID); err != nil { // the limit as it is now
		return err
	}
	if n >= owner.ProjectsLimit {
		return fault.Forbidden("You've reached your limit of " + strconv.Itoa(owner.ProjectsLimit) +
			" projects created. Contact your administrator.")
	}
	return nil
}

type projectChange struct {
	projectFields
	projectLateFields
	_ struct{} `atleast:"*"`
}

// update changes the given fields. Name, path and visibility require an owner.
func (a projects) update(ctx context.Context, s scope.InProject, in projectChange) (projectView, error) {
	if in.RepositoryStorage.Given() && !s.Caller.Admin() {
		return projectView{}, fault.Forbidden("")
	}
	var was tree.Project
	p, err := project.ChangeProject(ctx, s.Store, s.Project.ID, func(p *tree.Project) error {
		was = *p
		in.projectFields.into(p)
		if err := in.projectLateFields.into(&p.Settings); err != nil {
			return err
		}
		renamed := p.Name != was.Name || p.Path != was.Path
		if renamed && !s.Can(renameProject) || p.Visibility != was.Visibility && !s.Can(changeVisibility) {
			return fault.Forbidden("")
		}
		if p.Settings.Mirror && p.Settings.MirrorUserID == nil {
			p.Settings.MirrorUserID = &s.Caller.User.ID
		}
		if err := project.CheckMirrorUser(was, *p, s.Caller.User, s.Caller.Admin()); err != nil {
			return err
		}
		if p.Visibility != was.Visibility {
			return tree.CheckVisibility(ctx, s.Store, p.Visibility, s.Caller.User)
		}
		return nil
	})
	if err == nil {
		p, err = project.SetImportURL(ctx, s.Store, was, p, in.ImportURL.Or(""))
	}
	if err == nil {
		err = in.AvatarParam.Store(ctx, s.Store, tree.PicturedBy(p.Container()), &p.Avatar)
	}
	if err != nil {
		return projectView{}, err
	}
	return projectViewOf(ctx, a.Site, s.Anyone, p, projectExtras{})
}

type projectUserList struct {
	rest.Paging
	Search    string  `param:"search"`
	SkipUsers []int64 `param:"skip_users,comma"`
}

// listUsers lists direct and inherited members.
func (a projects) listUsers(
	ctx context.Context, s scope.InProject, in projectUserList,
) (rest.List[view.BasicUser], error) {
	members, total, err := group.AllMembers(ctx, s.Store, tree.InProject(s.Project.Project),
		group.MemberFilter{Query: in.Search, SkipUsers: in.SkipUsers, State: "active", Viewer: s.Viewer()},
		db.Page{Limit: in.Limit(), Offset: in.Offset(), Order: "name"})
	return rest.Pages(func(m group.Member) view.BasicUser { return a.BasicUser(m.Person()) })(members, total, err)
}

type projectGroupList struct {
	rest.Paging
	Search      string  `param:"search"`
	SkipGroups  []int64 `param:"skip_groups,comma"`
	WithShared  bool    `param:"with_shared"`
	SharedLevel int     `param:"shared_min_access_level" oneof:"10 15 20 30 40 50"`
}

// listGroups lists the groups that the project is in, and on request those that are invited.
func (a projects) listGroups(
	ctx context.Context, s scope.InProject, in projectGroupList,
) (rest.List[groupapi.LocationView], error) {
	f := project.AncestorFilter{
		Search: in.Search, Skip: in.SkipGroups, Shared: in.WithShared, SharedLevel: in.SharedLevel, Viewer: s.Viewer(),
	}
	f.Viewer.All = f.Viewer.All || s.Can(adminProject)
	page := scope.PageOf(in.Paging)
	return rest.Pages(groupapi.LocationViewOf(a.Site))(project.ListAncestors(ctx, s.Store, s.Project.Project, f, page))
}

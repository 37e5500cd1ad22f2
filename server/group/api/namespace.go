package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"hew/server/fault"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// namespaces are groups and personal namespaces.
type namespaces struct{ *view.Site }

func (a namespaces) routes() []rest.Route {
	user := scope.ForSigned()
	return []rest.Route{
		rest.Get("/namespaces", user, a.list),
		rest.Get("/namespaces/{id}", a.guard(), a.show),
		rest.Get("/namespaces/{id}/exists", user, a.exists),
	}
}

// inNamespace is a scope: a namespace that the caller may see.
type inNamespace struct {
	scope.Signed
	Namespace tree.FoundGroup
}

// guard returns a guard of the namespace in the path. Personal ones are visible only to their user.
func (a namespaces) guard() rest.Guard[inNamespace] {
	signed := scope.ForSigned()
	return rest.Guard[inNamespace]{Need: policy.ReadGroup.Name,
		Open: func(ctx context.Context, r *http.Request) (inNamespace, error) {
			user, err := signed.Open(ctx, r)
			if err != nil {
				return inNamespace{}, err
			}
			ref := r.PathValue("id")
			n, err := tree.SpaceFor(ctx, user.Store, ref, user.Caller.ID())
			if err != nil {
				return inNamespace{}, err
			}
			at := scope.InGroup{Anyone: user.Anyone, Group: n}.Place()
			at.What = "Namespace"
			if n.Kind == "user" {
				at.Seen = user.Caller.Admin() || *n.OwnerID == user.Caller.ID()
				at.Can = func(policy.Ability) bool { return true }
			}
			return inNamespace{user, n}, at.Admit(policy.ReadGroup, ref)
		}}
}

type namespaceView struct {
	view.ProjectNamespace
	*namespaceCounts
}

// namespaceCounts is what only those who administer the namespace see.
type namespaceCounts struct {
	Members        *int  `json:"members_count_with_descendants,omitempty"` // of a group
	Billable       int   `json:"billable_members_count"`
	Projects       int   `json:"projects_count"`
	RepositorySize int64 `json:"root_repository_size"`
}

func (a namespaces) view(n tree.FoundGroup) namespaceView {
	page := n.FullPath
	if n.Kind == "group" {
		page = "groups/" + n.FullPath
	}
	return namespaceView{ProjectNamespace: view.ProjectNamespace{
		ID: n.ID, Name: n.Name, Path: n.Path, Kind: n.Kind, FullPath: n.FullPath, ParentID: n.ParentID,
		AvatarURL: a.Picture(n.Avatar), WebURL: a.Web(page),
	}}
}

// views returns the views of a page, with counts of namespaces that the caller administers.
func (a namespaces) views(ctx context.Context, s scope.Signed, list []tree.FoundGroup) ([]namespaceView, error) {
	views := make([]namespaceView, len(list))
	var owned []int64
	for i, n := range list {
		views[i] = a.view(n)
		if (scope.InGroup{Anyone: s.Anyone, Group: n}).Can(adminGroup) {
			owned = append(owned, n.ID)
		}
	}
	if owned == nil {
		return views, nil
	}
	counts, err := group.CountInNamespaces(ctx, s.Store, owned)
	for i, v := range views {
		n, ok := counts[v.ID]
		if !ok {
			continue
		}
		views[i].namespaceCounts = &namespaceCounts{
			Billable: n.Billable, Projects: n.Projects, RepositorySize: n.RepositorySize,
		}
		if v.Kind == "group" {
			views[i].Members = &n.Members
		}
	}
	return views, err
}

type namespaceList struct {
	rest.Paging
	Search       string `param:"search"`
	OwnedOnly    bool   `param:"owned_only"`
	TopLevelOnly bool   `param:"top_level_only"`
}

func (a namespaces) list(ctx context.Context, s scope.Signed, in namespaceList) (rest.List[namespaceView], error) {
	f := group.NamespaceFilter{
		UserID: s.Caller.ID(), All: s.Caller.Admin(), Owned: in.OwnedOnly, TopLevel: in.TopLevelOnly, Search: in.Search,
	}
	list, total, err := group.Namespaces(ctx, s.Store, f, scope.PageOf(in.Paging))
	if err != nil {
		return rest.List[namespaceView]{}, err
	}
	views, err := a.views(ctx, s, list)
	return rest.Page(views, total, err)
}

func (a namespaces) show(ctx context.Context, n inNamespace, _ rest.None) (namespaceView, error) {
	views, err := a.views(ctx, n.Signed, []tree.FoundGroup{n.Namespace})
	if err != nil {
		return namespaceView{}, err
	}
	return views[0], nil
}

type namespaceExistsOf struct {
	Path     string `param:"id"`
	ParentID *int64 `param:"parent_id"`
}

type namespaceExistsView struct {
	Exists   bool     `json:"exists"`
	Suggests []string `json:"suggests"`
}

// exists reports whether a path of one segment is taken, and suggests a free one. Below a parent
// that the caller may not see nothing exists.
func (namespaces) exists(ctx context.Context, s scope.Signed, in namespaceExistsOf) (namespaceExistsView, error) {
	v := namespaceExistsView{Suggests: []string{}}
	if strings.Contains(in.Path, "/") {
		return v, nil
	}
	full := in.Path
	if in.ParentID != nil {
		parent, err := s.InGroup(ctx, *in.ParentID, policy.ReadGroup)
		switch {
		case fault.CodeOf(err) == fault.CodeNotFound:
			return v, nil
		case err != nil:
			return v, err
		}
		full = parent.Group.FullPath + "/" + in.Path
	}
	taken, next, err := group.PathTaken(ctx, s.Store, full)
	v.Exists = taken
	if next > 0 {
		v.Suggests = append(v.Suggests, in.Path+strconv.Itoa(next))
	}
	return v, err
}

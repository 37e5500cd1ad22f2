package api

import (
	"cmp"
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
)

// labels serves the labels of groups and projects (gaps §6.3). Labels of groups are listed in
// everything below, but changed only in their group.
type labels struct{}

func (a labels) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/labels", scope.HeldByGroup(readGroupLabel), scope.HeldByGroup(adminGroupLabel)),
		a.at("/projects/{id}/labels", scope.HeldByProject(policy.ReadProject), scope.HeldByProject(adminLabel)),
		[]rest.Route{rest.Put("/projects/{id}/labels/{label_id}/promote", scope.ForProject(adminLabel), a.promote)},
	)
}

// at returns the routes of labels under a path.
func (a labels) at(path string, read, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{label_id}"
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Put(path, admin, a.updateNamed),
		rest.Delete(one, admin, a.delete),
		rest.Delete(path, admin, a.deleteNamed),
		rest.Post(one+"/subscribe", read, a.subscribe(work.Subscribe)),
		rest.Post(one+"/unsubscribe", read, a.subscribe(work.Unsubscribe)),
	}
}

type labelList struct {
	rest.Paging
	WithCounts bool   `param:"with_counts"`
	Above      bool   `param:"include_ancestor_groups" default:"true"`
	Below      bool   `param:"include_descendant_groups"`
	GroupsOnly bool   `param:"only_group_labels" default:"true"`
	Search     string `param:"search"`
}

func (labels) list(ctx context.Context, s scope.Container, in labelList) (rest.List[labelView], error) {
	f := work.LabelFilter{
		Above: in.Above, Below: in.Below, Projects: !in.GroupsOnly, Search: in.Search,
		Viewer: s.Caller.ID(), Open: scope.OpenTo(s.Caller),
	}
	list, total, err := work.ListLabels(ctx, s.Store, s.Container, f, scope.PageOf(in.Paging))
	if err != nil || !in.WithCounts {
		return rest.Pages(labelViewOf)(list, total, err)
	}
	ids := make([]int64, len(list))
	for n, l := range list {
		ids[n] = l.ID
	}
	counts, err := work.CountLabelled(ctx, s.Store, ViewerOf(s.Anyone), s.Container, ids)
	return rest.Pages(func(l work.Label) labelView {
		v, c := labelViewOf(l), counts[l.ID]
		v.labelCounts = &labelCounts{OpenIssues: c.Open, ClosedIssues: c.Closed}
		return v
	})(list, total, err)
}

// labelID is the id or name of a label.
type labelID struct {
	Ref string `param:"label_id"`
}

type labelShow struct {
	labelID
	Above bool `param:"include_ancestor_groups" default:"true"`
}

func (labels) show(ctx context.Context, s scope.Container, in labelShow) (labelView, error) {
	f := work.LabelFilter{Above: in.Above, Viewer: s.Caller.ID()}
	return rest.Show(labelViewOf)(work.FindLabel(ctx, s.Store, s.Container, f, in.Ref))
}

// labelFields holds fields of work.Label under the same names.
type labelFields struct {
	rest.Into[work.Label]
	Description rest.Opt[string] `param:"description"`
	Priority    rest.Opt[int]    `param:"priority" min:"0" max:"2147483647"` // of projects; in groups it is ignored
}

func (in labelFields) into(l *work.Label) error {
	rest.Merge(l, in, work.Label{})
	if l.NamespaceID != nil {
		l.Priority = nil
	}
	return nil
}

type labelNew struct {
	Name  string `param:"name,required"`
	Color string `param:"color,required"`
	labelFields
}

func (in labelNew) into(l *work.Label) error {
	l.Name, l.Color = in.Name, in.Color
	return in.labelFields.into(l)
}

func (labels) create(ctx context.Context, s scope.Container, in labelNew) (labelView, error) {
	return rest.Show(labelViewOf)(work.CreateLabel(ctx, s.Store, s.Container, in.into))
}

type labelChange struct {
	labelID
	labelChanges
}

// labelNamed is a label whose id or name is no part of the path (gaps §15).
type labelNamed struct {
	ID   string   `param:"label_id"` // or its name
	Name string   `param:"name"`
	_    struct{} `exactly:"label_id name"`
}

// ref returns the id or name of the label.
func (in labelNamed) ref() string { return cmp.Or(in.ID, in.Name) }

type labelNamedChange struct {
	labelNamed
	labelChanges
}

// labelChanges are the parameters that change a label.
type labelChanges struct {
	NewName rest.Opt[string] `param:"new_name"`
	Color   rest.Opt[string] `param:"color"`
	labelFields
	_ struct{} `atleast:"new_name color description priority"`
}

func (in labelChanges) into(l *work.Label) error {
	l.Name, l.Color = in.NewName.Or(l.Name), in.Color.Or(l.Color)
	return in.labelFields.into(l)
}

func (labels) update(ctx context.Context, s scope.Container, in labelChange) (labelView, error) {
	return changeLabel(ctx, s, in.Ref, in.labelChanges)
}

func (labels) updateNamed(ctx context.Context, s scope.Container, in labelNamedChange) (labelView, error) {
	return changeLabel(ctx, s, in.ref(), in.labelChanges)
}

func changeLabel(ctx context.Context, s scope.Container, ref string, in labelChanges) (labelView, error) {
	return rest.Show(labelViewOf)(work.ChangeLabel(ctx, s.Store, s.Container, ref, s.Caller.ID(), in.into))
}

func (labels) delete(ctx context.Context, s scope.Container, in labelID) (rest.None, error) {
	return deleteLabel(ctx, s, in.Ref)
}

func (labels) deleteNamed(ctx context.Context, s scope.Container, in labelNamed) (rest.None, error) {
	return deleteLabel(ctx, s, in.ref())
}

func deleteLabel(ctx context.Context, s scope.Container, ref string) (rest.None, error) {
	return rest.None{}, work.Labels(s.Store, s.Container, 0).Delete(ctx, work.ByLabelRef(ref), rest.Unmodified)
}

// subscribe returns a handler that subscribes the caller to a label, or the reverse, depending on
// do. The label may be one of a group above.
func (labels) subscribe(
	do func(ctx context.Context, h *db.Store, labelID, userID int64) (changed bool, err error),
) rest.Handler[scope.Container, labelID, labelView] {
	return func(ctx context.Context, s scope.Container, in labelID) (labelView, error) {
		f := work.LabelFilter{Above: true, Viewer: s.Caller.ID()}
		l, err := work.FindLabel(ctx, s.Store, s.Container, f, in.Ref)
		if err != nil {
			return labelView{}, err
		}
		changed, err := do(ctx, s.Store, l.ID, s.Caller.ID())
		switch {
		case err != nil:
			return labelView{}, err
		case !changed:
			return labelView{}, fault.NotModified()
		}
		return rest.Show(labelViewOf)(work.FindLabel(ctx, s.Store, s.Container, f, in.Ref))
	}
}

// promote moves a label of a project to its group. The caller needs the right to make labels
// there.
func (labels) promote(ctx context.Context, s scope.InProject, in labelID) (labelView, error) {
	if !s.CanAround(adminGroupLabel) {
		return labelView{}, fault.Forbidden("")
	}
	return rest.Show(labelViewOf)(work.PromoteLabel(ctx, s.Store, s.Project.Project, in.Ref, s.Caller.ID()))
}

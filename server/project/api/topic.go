package api

import (
	"context"

	"hew/server/fault"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// topics are words that projects are found by.
type topics struct{ *view.Site }

func (a topics) routes() []rest.Route {
	anyone, admin := scope.ForAnyone(), scope.ForAdmin()
	return []rest.Route{
		rest.Get("/topics", anyone, a.list),
		rest.Get("/topics/{id}", anyone, a.show),
		rest.Post("/topics", admin, a.create),
		rest.Put("/topics/{id}", admin, a.update),
		rest.Delete("/topics/{id}", admin, a.delete),
		rest.Post("/topics/merge", admin, a.merge),
	}
}

type topicView struct {
	project.Topic
	AvatarURL *string `json:"avatar_url"`
}

// view returns a function that shows topics to the caller. Only administrators see all projects, so
// that the number of projects is that of public ones for everybody else.
func (a topics) view(s scope.Anyone) func(project.Topic) topicView {
	return func(t project.Topic) topicView {
		if !s.Caller.Admin() {
			t.TotalProjects = t.Public
		}
		return topicView{Topic: t, AvatarURL: a.Picture(t.Avatar)}
	}
}

type topicList struct {
	rest.Paging
	Search          string `param:"search"`
	WithoutProjects bool   `param:"without_projects"`
}

func (a topics) list(ctx context.Context, s scope.Anyone, in topicList) (rest.List[topicView], error) {
	f := project.TopicFilter{Search: in.Search, WithoutProjects: in.WithoutProjects, PublicProjects: !s.Caller.Admin()}
	return rest.Pages(a.view(s))(project.Topics(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

func (a topics) show(ctx context.Context, s scope.Anyone, in rest.ByID) (topicView, error) {
	return rest.Show(a.view(s))(visibleTopic(ctx, s, in.ID))
}

// visibleTopic returns a topic, unless it is hidden from the caller.
func visibleTopic(ctx context.Context, s scope.Anyone, id int64) (project.Topic, error) {
	t, err := project.FindTopic(ctx, s.Store, id)
	if err == nil && t.Hidden() && !s.Caller.Admin() {
		err = fault.NotFound("Topic")
	}
	return t, err
}

type topicNew struct {
	Name        string  `param:"name,required"`
	Title       string  `param:"title,required"`
	Description *string `param:"description"`
	view.AvatarParam
}

func (a topics) create(ctx context.Context, s scope.Admin, in topicNew) (topicView, error) {
	t := project.Topic{Name: in.Name, Title: in.Title, Description: in.Description}
	t, err := project.CreateTopic(ctx, s.Store, t)
	if err == nil {
		err = in.AvatarParam.Store(ctx, s.Store, tree.NewPictured(tree.PicturedTopic, t.ID), &t.Avatar)
	}
	return rest.Show(a.view(s.Anyone))(t, err)
}

type topicChange struct {
	rest.ByID
	topicFields
	view.AvatarParam
}

// topicFields have the names of their fields in project.Topic.
type topicFields struct {
	rest.Into[project.Topic]
	Name        rest.Opt[string] `param:"name"`
	Title       rest.Opt[string] `param:"title"`
	Description rest.Opt[string] `param:"description"`
}

func (in topicFields) into(t *project.Topic) error {
	rest.Merge(t, in, project.Topic{})
	return nil
}

func (a topics) update(ctx context.Context, s scope.Admin, in topicChange) (topicView, error) {
	t, err := project.ChangeTopic(ctx, s.Store, in.ID, in.into)
	if err == nil {
		err = in.AvatarParam.Store(ctx, s.Store, tree.NewPictured(tree.PicturedTopic, t.ID), &t.Avatar)
	}
	return rest.Show(a.view(s.Anyone))(t, err)
}

func (topics) delete(ctx context.Context, s scope.Admin, in rest.ByID) (rest.None, error) {
	return rest.None{}, project.DeleteTopic(ctx, s.Store, in.ID)
}

type topicMerge struct {
	Source int64 `param:"source_topic_id,required"`
	Target int64 `param:"target_topic_id,required"`
}

func (a topics) merge(ctx context.Context, s scope.Admin, in topicMerge) (topicView, error) {
	return rest.Show(a.view(s.Anyone))(project.MergeTopics(ctx, s.Store, in.Source, in.Target))
}

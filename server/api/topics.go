package api

import (
	"context"

	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// topics are words that projects are found by. Projects are given them by name, and one that is not there is made.
type topics struct{ *Site }

func (a topics) routes() []rest.Route {
	anyone, admin := a.anyone(), a.admin()
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
	store.Topic
	AvatarURL *string `json:"avatar_url"`
}

func (a topics) view(t store.Topic) topicView {
	return topicView{Topic: t, AvatarURL: a.picture(t.Avatar)}
}

type topicList struct {
	rest.Paging
	Search          string `param:"search"`
	WithoutProjects bool   `param:"without_projects"`
}

func (a topics) list(ctx context.Context, s Anyone, in topicList) (rest.List[topicView], error) {
	f := store.TopicFilter{Search: in.Search, WithoutProjects: in.WithoutProjects}
	return rest.Pages(a.view)(s.Store.Topics(ctx, f, pageOf(in.Paging)))
}

func (a topics) show(ctx context.Context, s Anyone, in rest.ByID) (topicView, error) {
	return rest.Show(a.view)(s.Store.Topic(ctx, in.ID))
}

type topicNew struct {
	Name        string  `param:"name,required"`
	Title       string  `param:"title,required"`
	Description *string `param:"description"`
}

func (a topics) create(ctx context.Context, s Admin, in topicNew) (topicView, error) {
	t := store.Topic{Name: in.Name, Title: in.Title, Description: in.Description}
	return rest.Show(a.view)(forge.CreateTopic(ctx, s.Store, t))
}

type topicChange struct {
	rest.ByID
	topicFields
}

// topicFields are called as in store.Topic.
type topicFields struct {
	rest.Into[store.Topic]
	Name        rest.Opt[string] `param:"name"`
	Title       rest.Opt[string] `param:"title"`
	Description rest.Opt[string] `param:"description"`
}

func (in topicFields) into(t *store.Topic) error {
	rest.Merge(t, in, store.Topic{})
	return nil
}

func (a topics) update(ctx context.Context, s Admin, in topicChange) (topicView, error) {
	return rest.Show(a.view)(forge.ChangeTopic(ctx, s.Store, in.ID, in.into))
}

func (topics) delete(ctx context.Context, s Admin, in rest.ByID) (rest.None, error) {
	return rest.None{}, s.Store.DeleteTopic(ctx, in.ID)
}

type topicMerge struct {
	Source int64 `param:"source_topic_id,required"`
	Target int64 `param:"target_topic_id,required"`
}

func (a topics) merge(ctx context.Context, s Admin, in topicMerge) (topicView, error) {
	return rest.Show(a.view)(forge.MergeTopics(ctx, s.Store, in.Source, in.Target))
}

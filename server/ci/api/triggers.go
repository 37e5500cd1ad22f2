package api

import (
	"context"
	"time"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// triggers are the routes of tokens that start pipelines (CI facts §2.3).
type triggers struct{ *view.Site }

func (a triggers) routes() []rest.Route {
	const path = "/projects/{id}/triggers"
	const one = path + "/{trigger_id}"
	admin := scope.ForProject(adminTrigger)
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
	}
}

// triggerView is a trigger. Its token is whole for its owner alone.
type triggerView struct {
	ID          int64           `json:"id"`
	Token       string          `json:"token"`
	Description string          `json:"description"`
	CreatedAt   time.Time       `json:"created_at"`
	UpdatedAt   time.Time       `json:"updated_at"`
	DeletedAt   *time.Time      `json:"deleted_at"`
	LastUsed    *time.Time      `json:"last_used"`
	ExpiresAt   *time.Time      `json:"expires_at"`
	Owner       *view.BasicUser `json:"owner"`
}

func (a triggers) view(s scope.InProject, t ci.Trigger) (triggerView, error) {
	shown := ci.TriggerToken
	if t.OwnerID != s.Caller.ID() {
		shown = ci.ShortToken
	}
	token, err := shown(s.Store, t)
	if err != nil {
		return triggerView{}, err
	}
	return triggerView{
		ID: t.ID, Token: token, Description: t.Description, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
		LastUsed: t.LastUsedAt, ExpiresAt: t.ExpiresAt, Owner: a.Author(t.Owner),
	}, nil
}

// one shows a trigger, or passes on an error.
func (a triggers) one(s scope.InProject, t ci.Trigger, err error) (triggerView, error) {
	if err != nil {
		return triggerView{}, err
	}
	return a.view(s, t)
}

type triggerList struct{ rest.Paging }

func (a triggers) list(
	ctx context.Context, s scope.InProject, in triggerList,
) (out rest.List[triggerView], err error) {
	list, total, err := ci.Triggers(s.Store, s.Project.ID).List(ctx, scope.PageOf(in.Paging))
	if err != nil {
		return out, err
	}
	views := make([]triggerView, len(list))
	for n, t := range list {
		if views[n], err = a.view(s, t); err != nil {
			return out, err
		}
	}
	return rest.Page(views, total, nil)
}

type triggerID struct {
	ID int64 `param:"trigger_id"`
}

func (a triggers) show(ctx context.Context, s scope.InProject, in triggerID) (triggerView, error) {
	t, err := ci.Triggers(s.Store, s.Project.ID).One(ctx, db.ByID(in.ID))
	return a.one(s, t, err)
}

type triggerNew struct {
	Description string     `param:"description,required"`
	ExpiresAt   *time.Time `param:"expires_at"`
}

func (a triggers) create(ctx context.Context, s scope.InProject, in triggerNew) (triggerView, error) {
	t, err := ci.CreateTrigger(ctx, s.Store, s.Project.Project, s.Caller.User, in.Description, in.ExpiresAt)
	return a.one(s, t, err)
}

type triggerChange struct {
	triggerID
	Description rest.Opt[string] `param:"description"`
}

func (a triggers) update(ctx context.Context, s scope.InProject, in triggerChange) (triggerView, error) {
	t, err := ci.Triggers(s.Store, s.Project.ID).Change(ctx, db.ByID(in.ID),
		db.Plain(func(t *ci.Trigger) error {
			if t.OwnerID != s.Caller.ID() {
				return fault.Forbidden("")
			}
			in.Description.Into(&t.Description)
			return nil
		}))
	return a.one(s, t, err)
}

func (triggers) delete(ctx context.Context, s scope.InProject, in triggerID) (rest.None, error) {
	return rest.None{}, ci.Triggers(s.Store, s.Project.ID).Delete(ctx, db.ByID(in.ID), rest.Unmodified)
}

package api

import (
	"context"

	"hew/server/fault"
	"hew/server/note"
	"hew/server/rest"
	"hew/server/scope"
)

type awardList struct{ rest.Paging }

type awardID struct {
	ID int64 `param:"award_id"`
}

type awardNew struct {
	Name string `param:"name,required"`
}

func (m Mount[S]) awards(ctx context.Context, s S, in awardList) (rest.List[awardView], error) {
	on := m.On(s)
	return m.listAwards(ctx, on, note.Awardable{Target: on.Target}, in.Paging)
}

func (m Mount[S]) showAward(ctx context.Context, s S, in awardID) (awardView, error) {
	on := m.On(s)
	return m.oneAward(ctx, on, note.Awardable{Target: on.Target}, in.ID)
}

func (m Mount[S]) award(ctx context.Context, s S, in awardNew) (awardView, error) {
	on := m.On(s)
	return m.react(ctx, on, note.Awardable{Target: on.Target}, in.Name)
}

func (m Mount[S]) unaward(ctx context.Context, s S, in awardID) (rest.None, error) {
	on := m.On(s)
	return m.takeBack(ctx, on, note.Awardable{Target: on.Target}, in.ID)
}

func (m Mount[S]) listAwards(
	ctx context.Context, on On, of note.Awardable, p rest.Paging,
) (rest.List[awardView], error) {
	return rest.Pages(m.viewAward(of))(note.Awards(ctx, on.Store, of, scope.PageOf(p)))
}

func (m Mount[S]) oneAward(ctx context.Context, on On, of note.Awardable, id int64) (awardView, error) {
	return rest.Show(m.viewAward(of))(note.FindAward(ctx, on.Store, of, id))
}

func (m Mount[S]) react(ctx context.Context, on On, to note.Awardable, name string) (awardView, error) {
	if err := on.Store.Locked(ctx); err != nil {
		return awardView{}, err
	}
	return rest.Show(m.viewAward(to))(note.AddAward(ctx, on.Store, to, on.Caller.User, name))
}

// takeBack deletes a reaction of the caller; administrators delete those of others, too.
func (m Mount[S]) takeBack(ctx context.Context, on On, of note.Awardable, id int64) (rest.None, error) {
	a, err := note.FindAward(ctx, on.Store, of, id)
	switch {
	case err != nil:
		return rest.None{}, err
	case a.UserID != on.Caller.ID() && !on.Caller.Admin():
		return rest.None{}, fault.Unauthorized()
	}
	return rest.None{}, note.RemoveAward(ctx, on.Store, of, on.Caller.User, a)
}

package api

import (
	"context"
	"net/http"

	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
)

// userStates block, ban, deactivate and approve users, and undo that (gaps §2.1).
type userStates struct{}

func (a userStates) routes() []rest.Route {
	admin := scope.ForAdmin()
	routes := []rest.Route{
		rest.Post("/users/{id}/approve", admin, a.approve),
		rest.Post("/users/{id}/reject", admin, a.reject),
	}
	for _, act := range people.StateActs {
		routes = append(routes, rest.Post("/users/{id}/"+act.Verb, admin, a.do(act)))
	}
	return routes
}

func (userStates) do(act people.StateAct) rest.Handler[scope.Admin, rest.ByID, bool] {
	return func(ctx context.Context, s scope.Admin, in rest.ByID) (bool, error) {
		return act.Do(ctx, s.Store, in.ID, s.Caller.User)
	}
}

func (userStates) approve(ctx context.Context, s scope.Admin, in rest.ByID) (rest.Raw, error) {
	return success, people.ApproveUser(ctx, s.Store, in.ID)
}

func (a userStates) reject(ctx context.Context, s scope.Admin, in rest.ByID) (rest.Raw, error) {
	return success, people.RejectUser(ctx, s.Store, in.ID)
}

var success = rest.JSON(http.StatusCreated, map[string]string{"message": "Success"})

package api

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"

	"hew/server/blob/serve"
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// avatars are the pictures of groups and projects (gaps §3.1, §4.1) and of topics, visible to
// everybody who may see these, and of users, visible to everybody. What has one takes the file as a
// parameter. The routes of users and topics are ours: the addresses in views stand for them.
type avatars struct{ log *slog.Logger }

func (a avatars) routes() []rest.Route {
	anyone := scope.ForAnyone()
	return []rest.Route{
		rest.Get("/groups/{id}/avatar", scope.HeldByGroup(policy.ReadGroup), a.show),
		rest.Get("/projects/{id}/avatar", scope.HeldByProject(policy.ReadProject), a.show),
		rest.Get("/users/{id}/avatar", anyone, a.showUser),
		rest.Get("/topics/{id}/avatar", anyone, a.showTopic),
	}
}

var avatarAddress = regexp.MustCompile(`^/uploads/-/system/(?:projects/)?(group|project|user|topic)/avatar/([0-9]+)/[^/]+$`)

// avatarRoute returns the path of the route for the address of an avatar in a view.
func avatarRoute(path string) (string, bool) {
	m := avatarAddress.FindStringSubmatch(path)
	if m == nil {
		return "", false
	}
	return "/api/v4/" + m[1] + "s/" + m[2] + "/avatar", true
}

func (a avatars) show(ctx context.Context, s scope.Container, _ rest.None) (rest.Raw, error) {
	return a.send(ctx, s.Store, tree.PicturedBy(s.Container))
}

func (a avatars) showUser(ctx context.Context, s scope.Anyone, in rest.ByID) (rest.Raw, error) {
	return a.send(ctx, s.Store, tree.NewPictured(tree.PicturedUser, in.ID))
}

func (a avatars) showTopic(ctx context.Context, s scope.Anyone, in rest.ByID) (rest.Raw, error) {
	t, err := visibleTopic(ctx, s, in.ID)
	if err != nil {
		return nil, err
	}
	return a.send(ctx, s.Store, tree.NewPictured(tree.PicturedTopic, t.ID))
}

func (a avatars) send(ctx context.Context, st *db.Store, of tree.Pictured) (rest.Raw, error) {
	found, err := tree.FindAvatar(ctx, st, of)
	if err != nil {
		return nil, err
	}
	return serve.File{
		Log: a.log, Store: st, BlobID: found.BlobID, Name: found.Name, Type: found.Type, Inline: true,
		Modified: found.CreatedAt, Header: func(h http.Header) { h.Set("Cache-Control", serve.Revalidate) },
	}, nil
}

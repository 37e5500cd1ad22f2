package api

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// avatars are the pictures of groups and projects (gaps §3.1, §4.1), visible to everybody who may
// see these. Groups and projects take uploads as a parameter.
type avatars struct{}

func (a avatars) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/groups/{id}/avatar", scope.HeldByGroup(policy.ReadGroup), a.show),
		rest.Get("/projects/{id}/avatar", scope.HeldByProject(policy.ReadProject), a.show),
	}
}

// uploadRoute returns the path of the route for the address of an upload in a view.
func uploadRoute(path string) (string, bool) {
	m := view.Upload.FindStringSubmatch(path)
	if m == nil {
		return "", false
	}
	return "/api/v4/" + m[1] + "s/" + m[2] + "/avatar", true
}

func (avatars) show(ctx context.Context, s scope.Container, _ rest.None) (rest.Raw, error) {
	a, err := tree.FindAvatar(ctx, s.Store, s.Container)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", a.Type)
		w.Header().Set("Content-Disposition", fmt.Sprintf("inline; filename=%q", a.Name))
		w.Header().Set("Cache-Control", "max-age=0, private, must-revalidate")
		http.ServeContent(w, r, "", a.CreatedAt, bytes.NewReader(a.Content))
	}), nil
}

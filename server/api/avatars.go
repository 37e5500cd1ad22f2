package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"

	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// avatars are the pictures of groups and projects (gaps §3.1, §4.1), for whoever sees these. They are uploaded as a
// parameter of the group or project.
type avatars struct{ *Site }

func (a avatars) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/groups/{id}/avatar", as(a.group(policy.ReadGroup), InGroup.container), a.show),
		rest.Get("/projects/{id}/avatar", as(a.project(policy.ReadProject), InProject.container), a.show),
	}
}

var upload = regexp.MustCompile(`^/uploads/-/system/(group|project)/avatar/([0-9]+)/[^/]+$`)

// UploadRoute is the path of the route that serves an uploaded file which a view has the address of.
func UploadRoute(path string) (string, bool) {
	m := upload.FindStringSubmatch(path)
	if m == nil {
		return "", false
	}
	return "/api/v4/" + m[1] + "s/" + m[2] + "/avatar", true
}

func (avatars) show(ctx context.Context, s container, _ rest.None) (rest.Raw, error) {
	a, err := s.Store.Avatar(ctx, s.Container)
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

// avatarInto gives a group or project the picture that was sent, or takes away the one that it has where nothing was; at
// becomes the path that it is to be had at.
func avatarInto(ctx context.Context, st *store.Store, c store.Container, sent rest.Opt[*rest.File], at **string) error {
	file, _ := sent.Value()
	switch {
	case !sent.Given():
		return nil
	case file == nil:
		*at = nil
		return st.RemoveAvatar(ctx, c)
	}
	content, err := io.ReadAll(io.LimitReader(file.Open(), forge.MaxAvatar+1))
	if err != nil {
		return fmt.Errorf("read the avatar: %w", err)
	}
	path, err := forge.SetAvatar(ctx, st, c, file.Name, content)
	*at = &path
	return err
}

// picture is the address of an avatar; nil where there is none.
func (a *Site) picture(path *string) *string {
	if path == nil {
		return nil
	}
	at := a.web(*path)
	return &at
}

package api

import (
	"context"
	"slices"

	"hew/server/fault"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
	"hew/server/view"
)

// userAvatars are the pictures that users give themselves (more-2 §8.3).
type userAvatars struct{ *view.Site }

func (a userAvatars) routes() []rest.Route {
	return []rest.Route{
		rest.Get("/avatar", scope.ForAnyone(), a.show),
		rest.Put("/user/avatar", scope.ForSigned(), a.update),
	}
}

type avatarView struct {
	AvatarURL *string `json:"avatar_url"`
}

type avatarShow struct {
	Email string `param:"email,required,notempty"`
	Size  int    `param:"size" min:"1"` // for services that scale pictures; this server has none
}

// show returns the avatar of the user with a public e-mail address. Where nothing may be public, it
// is for users only.
func (a userAvatars) show(ctx context.Context, s scope.Anyone, in avatarShow) (v avatarView, err error) {
	settings, err := setting.Read(ctx, s.Store)
	if err != nil {
		return v, err
	}
	if !s.Caller.Signed() && slices.Contains(settings.RestrictedVisibilities, "public") {
		return v, fault.Forbidden("")
	}
	path, err := people.AvatarByEmail(ctx, s.Store, in.Email)
	return avatarView{a.Picture(path)}, err
}

type avatarChange struct {
	view.AvatarParam
	_ struct{} `atleast:"avatar"`
}

func (a userAvatars) update(ctx context.Context, s scope.Signed, in avatarChange) (avatarView, error) {
	var path *string
	err := in.AvatarParam.Store(ctx, s.Store, tree.NewPictured(tree.PicturedUser, s.Caller.ID()), &path)
	return avatarView{a.Picture(path)}, err
}

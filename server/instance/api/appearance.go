package api

import (
	"context"

	"hew/server/instance"
	"hew/server/rest"
	"hew/server/scope"
)

// appearance are the routes of how the instance presents itself (gaps §13.3).
type appearance struct{}

func (a appearance) routes() []rest.Route {
	admin := scope.ForAdmin()
	return []rest.Route{
		rest.Get("/application/appearance", admin, a.show),
		rest.Put("/application/appearance", admin, a.update),
	}
}

type appearanceView struct {
	instance.AppearanceSettings
	Logo       *string `json:"logo"`
	PwaIcon    *string `json:"pwa_icon"`
	HeaderLogo *string `json:"header_logo"`
	Favicon    *string `json:"favicon"`
}

func appearanceViewOf(a instance.Appearance) appearanceView {
	file := func(name string) *string {
		if a.Files[name] == "" {
			return nil
		}
		path := "/uploads/-/system/appearance/" + name + "/1/" + a.Files[name]
		return &path
	}
	return appearanceView{a.Settings, file("logo"), file("pwa_icon"), file("header_logo"), file("favicon")}
}

func (appearance) show(ctx context.Context, s scope.Admin, _ rest.None) (appearanceView, error) {
	return rest.Show(appearanceViewOf)(instance.ReadAppearance(ctx, s.Store))
}

type appearanceChange struct {
	appearanceFields
	Logo       rest.Opt[*rest.File] `param:"logo"`
	PwaIcon    rest.Opt[*rest.File] `param:"pwa_icon"`
	HeaderLogo rest.Opt[*rest.File] `param:"header_logo"`
	Favicon    rest.Opt[*rest.File] `param:"favicon"`
}

type appearanceFields struct {
	rest.Into[instance.AppearanceSettings]
	Title                       rest.Opt[string] `param:"title"`
	Description                 rest.Opt[string] `param:"description"`
	PwaName                     rest.Opt[string] `param:"pwa_name"`
	PwaShortName                rest.Opt[string] `param:"pwa_short_name"`
	PwaDescription              rest.Opt[string] `param:"pwa_description"`
	MemberGuidelines            rest.Opt[string] `param:"member_guidelines"`
	NewProjectGuidelines        rest.Opt[string] `param:"new_project_guidelines"`
	ProfileImageGuidelines      rest.Opt[string] `param:"profile_image_guidelines"`
	HeaderMessage               rest.Opt[string] `param:"header_message"`
	FooterMessage               rest.Opt[string] `param:"footer_message"`
	MessageBackgroundColor      rest.Opt[string] `param:"message_background_color"`
	MessageFontColor            rest.Opt[string] `param:"message_font_color"`
	EmailHeaderAndFooterEnabled rest.Opt[bool]   `param:"email_header_and_footer_enabled"`
}

func (appearance) update(ctx context.Context, s scope.Admin, in appearanceChange) (appearanceView, error) {
	change := func(a *instance.AppearanceSettings) {
		rest.Merge(a, in.appearanceFields, instance.NewAppearanceSettings())
	}
	return rest.Show(appearanceViewOf)(instance.ChangeAppearance(ctx, s.Store, change, in.pictures()))
}

// pictures returns the files that are given, and nil for each that is removed.
func (in appearanceChange) pictures() map[string]*instance.Picture {
	pictures := map[string]*instance.Picture{}
	for name, o := range map[string]rest.Opt[*rest.File]{
		"logo": in.Logo, "pwa_icon": in.PwaIcon, "header_logo": in.HeaderLogo, "favicon": in.Favicon,
	} {
		if f, ok := o.Value(); ok {
			pictures[name] = &instance.Picture{Name: f.Name, Open: f.Open}
		} else if o.IsNull() {
			pictures[name] = nil
		}
	}
	return pictures
}

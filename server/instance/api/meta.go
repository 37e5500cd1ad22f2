package api

import (
	"context"
	"time"

	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// meta are the routes by which the server describes itself.
type meta struct{ *view.Site }

func (a meta) routes() []rest.Route {
	user, admin := scope.ForSigned("read_user", "ai_features"), scope.ForAdmin()
	return []rest.Route{
		rest.Get("/version", user, a.version),
		rest.Get("/metadata", user, a.metadata),
		rest.Get("/license", admin, a.license),
	}
}

type versionView struct {
	Version    string `json:"version"`
	Revision   string `json:"revision"`
	Enterprise bool   `json:"enterprise"`
}

func (a meta) versionView() versionView { return versionView{a.Version, a.Revision, true} }

func (a meta) version(context.Context, scope.Signed, rest.None) (versionView, error) {
	return a.versionView(), nil
}

type metadataView struct {
	versionView
	Kas struct {
		Enabled             bool    `json:"enabled"`
		ExternalURL         *string `json:"externalUrl"`
		ExternalK8sProxyURL *string `json:"externalK8sProxyUrl"`
		Version             *string `json:"version"`
	} `json:"kas"`
}

func (a meta) metadata(context.Context, scope.Signed, rest.None) (metadataView, error) {
	return metadataView{versionView: a.versionView()}, nil
}

type licenseView struct {
	ID               int64             `json:"id"`
	Plan             string            `json:"plan"`
	CreatedAt        time.Time         `json:"created_at"`
	StartsAt         string            `json:"starts_at"`
	ExpiresAt        *string           `json:"expires_at"`
	HistoricalMax    int               `json:"historical_max"`
	MaximumUserCount int               `json:"maximum_user_count"`
	Expired          bool              `json:"expired"`
	Overage          int               `json:"overage"`
	UserLimit        int               `json:"user_limit"`
	ActiveUsers      int               `json:"active_users"`
	Licensee         map[string]string `json:"licensee"`
	AddOns           map[string]int    `json:"add_ons"`
}

// license answers that every feature is available to everybody without end; a user_limit of 0 is
// unlimited.
func (a meta) license(ctx context.Context, s scope.Admin, _ rest.None) (licenseView, error) {
	n, since, err := tree.Census(ctx, s.Store)
	return licenseView{
		ID: 1, Plan: "ultimate", CreatedAt: since, StartsAt: since.Format(time.DateOnly),
		HistoricalMax: n, MaximumUserCount: n, ActiveUsers: n,
		Licensee: map[string]string{"Name": "hewd"}, AddOns: map[string]int{},
	}, err
}

package api

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"hew/server/forge"
	forgeapi "hew/server/forge/api"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
	"hew/server/gist"
	"hew/server/outbound"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	snippetapi "hew/server/snippet/api"
)

// imports are the imports of gists (spec 1 §4.7, gaps §12.3). The routes have the name of the
// specification and that of the public service.
type imports struct{ out *outbound.Guard }

// beginTime limits a request that asks the host whether it accepts a token.
const beginTime = 3 * time.Minute

func (a imports) routes() (list []rest.Route) {
	for _, path := range []string{"/import/forge/gists", "/import/github/gists"} {
		list = append(list,
			rest.Post(path, snippetapi.ForCreators(), a.begin).Status(http.StatusAccepted).
				WithoutTransaction().Timeout(beginTime),
			rest.Get(path, scope.ForSigned(), a.show),
		)
	}
	return list
}

type importNew struct {
	Token          string `param:"personal_access_token,required,notempty"`
	ForgeHostname  string `param:"forge_hostname"`
	GitHubHostname string `param:"github_hostname"`
}

// begin asks the host whether it accepts the token, and has the gists imported.
func (a imports) begin(ctx context.Context, s scope.Signed, in importNew) (rest.Raw, error) {
	settings, err := forgeapi.CheckSource(ctx, s, forge.GitHub)
	if err != nil {
		return nil, err
	}
	base, err := github.Base(cmp.Or(in.ForgeHostname, in.GitHubHostname))
	if err != nil {
		return nil, forgeapi.InvalidURL(err.Error())
	}
	if err := forgeapi.CheckHost(settings, base); err != nil {
		return nil, err
	}
	if err := gist.CheckFree(ctx, s.Store, s.Caller.ID()); err != nil {
		return nil, err
	}
	if err := a.ask(ctx, base, in.Token, setting.OutboundPolicy(settings)); err != nil {
		return nil, err
	}
	if err := gist.Begin(ctx, s.Store, s.Caller.ID(), base, in.Token); err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }), nil
}

// ask returns a fault if the host does not answer with gists.
func (a imports) ask(ctx context.Context, base, token string, policy outbound.Policy) error {
	client, err := github.NewClient(github.Config{
		Base: base, Token: token, PageSize: 1, Transport: hostapi.Transport(a.out, policy),
	})
	if err != nil {
		return forgeapi.InvalidURL(err.Error())
	}
	_, _, err = github.Page[github.Gist](ctx, client, client.Gists())
	return forgeapi.HostFault(err, "GitHub", gist.DeniedText)
}

// importView is the record of the last import of a user.
type importView struct {
	Status     string         `json:"import_status"`
	Error      *string        `json:"import_error"`
	Host       string         `json:"host"` // the API that the gists are read from
	Imported   int            `json:"imported_count"`
	Skipped    []gist.Skipped `json:"skipped"`
	WaitsUntil *time.Time     `json:"waits_until"` // the rate limit of the host admits no request before
	CreatedAt  time.Time      `json:"created_at"`
	FinishedAt *time.Time     `json:"finished_at"`
}

func (a imports) show(ctx context.Context, s scope.Signed, _ rest.None) (importView, error) {
	i, err := gist.Find(ctx, s.Store, s.Caller.ID())
	return importView{
		Status: i.Status, Error: i.Failure, Host: i.Base, Imported: i.Imported,
		Skipped: append([]gist.Skipped{}, i.Skipped...), WaitsUntil: i.WaitsUntil, CreatedAt: i.CreatedAt,
		FinishedAt: i.FinishedAt,
	}, err
}

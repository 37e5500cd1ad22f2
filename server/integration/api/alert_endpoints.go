package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/integration"
	"hew/server/rest"
)

// alertEndpoints are the addresses that monitoring tools send alerts to (spec 3 §4.2, gaps §13.2).
// They are outside of the API: the key of an integration replaces the token, the format is that of
// the tool, and a refusal has a status and no body.
type alertEndpoints struct{}

func (a alertEndpoints) routes() []rest.Route {
	const path = "/projects/{id}/alerts/notify"
	return []rest.Route{
		rest.Post(path+"/{endpoint}", a.sender(""), a.receive).Status(200).WithoutTransaction(),
		rest.Post(path, a.sender(""), a.receive).Status(200).WithoutTransaction(),
		rest.Post("/projects/{id}/prometheus/alerts/notify", a.sender(integration.Prometheus), a.receive).Status(200).
			WithoutTransaction(),
	}
}

var alertAddress = regexp.MustCompile(`^/(.+?/.+?)/((?:prometheus/)?alerts/notify)(?:/[^/]+/([0-9a-f]{16}))?\.json$`)

// alertRoute returns the route that an address for alerts stands for.
func alertRoute(path string) (string, bool) {
	m := alertAddress.FindStringSubmatch(path)
	if m == nil || strings.HasPrefix(path, "/api/") {
		return "", false
	}
	route := "/api/v4/projects/" + url.PathEscape(m[1]) + "/" + m[2]
	if m[3] != "" {
		route += "/" + m[3]
	}
	return route, true
}

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// alertPath returns the path of the address of an integration. The name in it is for people: when
// it changes, old addresses still work.
func alertPath(project string, i integration.AlertIntegration) string {
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(i.Name), "-"), "-")
	if slug == "" { // of a name in another script
		slug = "alerts"
	}
	slug = strings.TrimRight(slug[:min(len(slug), 63)], "-")
	return project + "/alerts/notify/" + slug + "/" + i.Endpoint + ".json"
}

// sender admits requests with the key of an integration at that address.
func (a alertEndpoints) sender(only string) rest.Guard[sender] {
	return rest.Guard[sender]{Need: "alert_key", Open: func(ctx context.Context, r *http.Request) (sender, error) {
		at := integration.AlertAddress{
			Project: r.PathValue("id"), Endpoint: r.PathValue("endpoint"), Prometheus: only == integration.Prometheus,
		}
		s := sender{Store: db.From(ctx)}
		var err error
		s.integration, err = integration.AuthenticateAlerts(ctx, s.Store, at, alertKey(r))
		return s, withoutText(err)
	}}
}

// sender is the scope of requests with alerts.
type sender struct {
	Store       *db.Store
	integration integration.AlertIntegration
}

// alertKey returns the key of a request: a bearer token, or the password of any user name.
func alertKey(r *http.Request) string {
	if scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	_, password, _ := r.BasicAuth()
	return password
}

type alertBody struct{ rest.Body }

// alertRef is an alert as the answer to its sender shows it.
type alertRef struct {
	IID   int64  `json:"iid"`
	Title string `json:"title"`
}

func (alertEndpoints) receive(ctx context.Context, s sender, in alertBody) ([]alertRef, error) {
	body, err := io.ReadAll(io.LimitReader(in, integration.MaxAlertBody+1))
	if err != nil {
		return nil, withoutText(fault.BadRequest("").Because(err))
	}
	about, err := integration.ReceiveAlerts(ctx, s.Store, s.integration, body)
	list := make([]alertRef, len(about))
	for n, a := range about {
		list[n] = alertRef{a.IID, a.Title}
	}
	return list, withoutText(err)
}

// withoutText removes the text from a refusal, unless an operator has written it. The log has the
// cause.
func withoutText(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Code == fault.CodeTooMany {
		return err
	}
	return (&fault.Error{Code: f.Code}).In(fault.Raw).Because(err)
}

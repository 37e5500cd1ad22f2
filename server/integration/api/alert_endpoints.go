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

// alertEndpoints are where monitoring tools send alerts (spec 3 §4.2, gaps §13.2). They lie outside of the API: whoever calls
// shows the key of an integration in place of a token, the format is that of the tool, and a refusal is a status without words.
type alertEndpoints struct{}

func (a alertEndpoints) routes() []rest.Route {
	const path = "/projects/{id}/alerts/notify"
	return []rest.Route{
		rest.Post(path+"/{endpoint}", a.sender(""), a.receive).Status(200).Waits(),
		rest.Post(path, a.sender(""), a.receive).Status(200).Waits(),
		rest.Post("/projects/{id}/prometheus/alerts/notify", a.sender(integration.Prometheus), a.receive).Status(200).Waits(),
	}
}

var alertAddress = regexp.MustCompile(`^/(.+?/.+?)/((?:prometheus/)?alerts/notify)(?:/[^/]+/([0-9a-f]{16}))?\.json$`)

// alertRoute is the path of the endpoint that an address for alerts stands for.
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

// alertPath is the address of an integration below the host. The name in it is for people: it may change, and the address
// that was handed out stays good.
func alertPath(project string, i integration.AlertIntegration) string {
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(i.Name), "-"), "-")
	if slug == "" { // of a name in another script
		slug = "alerts"
	}
	slug = strings.TrimRight(slug[:min(len(slug), 63)], "-")
	return project + "/alerts/notify/" + slug + "/" + i.Endpoint + ".json"
}

// sender admits whoever shows the key of an integration that listens there.
func (a alertEndpoints) sender(only string) rest.Guard[sender] {
	return rest.Guard[sender]{Need: "alert_key", Open: func(ctx context.Context, r *http.Request) (sender, error) {
		at := integration.AlertAddress{Project: r.PathValue("id"), Endpoint: r.PathValue("endpoint"), Prometheus: only == integration.Prometheus}
		s := sender{Store: db.From(ctx)}
		var err error
		s.integration, err = integration.AuthenticateAlerts(ctx, s.Store, at, alertKey(r))
		return s, withoutText(err)
	}}
}

// sender is the scope of who sends alerts.
type sender struct {
	Store       *db.Store
	integration integration.AlertIntegration
}

// alertKey is the key that a request shows: as a bearer, or as the password of whatever user, also of none.
func alertKey(r *http.Request) string {
	if scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	_, password, _ := r.BasicAuth()
	return password
}

type alertBody struct{ rest.Body }

// alertRef is an alert as its sender is told of it.
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

// withoutText takes the words from a refusal, but for those that an operator has chosen. The log has the cause.
func withoutText(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Code == fault.CodeTooMany {
		return err
	}
	return (&fault.Error{Code: f.Code}).In(fault.Raw).Because(err)
}

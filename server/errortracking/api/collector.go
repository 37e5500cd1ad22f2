package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/errortracking"
	"hew/server/fault"
	"hew/server/rest"
)

// collector are the addresses that SDKs make of sentry_dsn and send events to (gaps §15). They are
// outside of the API: the public key of a project replaces the token, and an event that has a field
// called private_token is no sign-in.
type collector struct{}

const collectorPath = "/error_tracking/collector/api/"

func (a collector) routes() []rest.Route {
	return []rest.Route{
		rest.Post(collectorPath+"{id}/envelope", a.sender(openEnvelope), a.receiveEnvelope).Status(http.StatusOK).
			WithoutTransaction(),
		rest.Post(collectorPath+"{id}/store", a.sender(openStore), a.receiveStore).Status(http.StatusOK).
			WithoutTransaction(),
	}
}

// collectorRoute returns the route that an address for events stands for.
func collectorRoute(path string) (string, bool) {
	if !strings.HasPrefix(path, "/api/v4"+collectorPath) {
		return "", false
	}
	return (&url.URL{Path: path}).EscapedPath(), true
}

// sender is the scope of requests with events: a project, and a body that is not read yet.
type sender struct {
	Store     *db.Store
	ProjectID int64
	envelope  *errortracking.Envelope // nil: an event alone, in body
	body      io.Reader
}

func openStore(*sender) error { return nil }

// openEnvelope reads the header of the envelope, which can have the key.
func openEnvelope(s *sender) (err error) {
	s.envelope, err = errortracking.OpenEnvelope(s.body)
	return err
}

// sender admits requests with a key of the project. Where neither header nor query has one, the
// body is opened to find it.
func (a collector) sender(open func(*sender) error) rest.Guard[sender] {
	admit := func(ctx context.Context, r *http.Request) (s sender, err error) {
		s.Store = db.From(ctx)
		s.ProjectID, _ = strconv.ParseInt(r.PathValue("id"), 10, 64) // there is no project 0
		if s.body, err = inflate(r); err != nil {
			return s, err
		}
		key := keyOf(r)
		if key != "" {
			err = errortracking.Authenticate(ctx, s.Store, s.ProjectID, key)
		}
		if err == nil {
			err = open(&s)
		}
		switch {
		case err != nil || key != "":
			return s, err
		case s.envelope == nil:
			return s, fault.Unauthorized()
		}
		return s, errortracking.Authenticate(ctx, s.Store, s.ProjectID, s.envelope.Key)
	}
	return rest.Guard[sender]{Need: "error_tracking_key", Open: admit}
}

// keyOf returns the key in the header or the query of a request. SDKs send it in X-Sentry-Auth, as
// "Sentry sentry_version=7, sentry_key=…".
func keyOf(r *http.Request) string {
	for _, header := range []string{r.Header.Get("X-Sentry-Auth"), r.Header.Get("Authorization")} {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(header), " ")
		if !strings.EqualFold(scheme, "Sentry") {
			continue
		}
		for pair := range strings.FieldsFuncSeq(rest, func(c rune) bool { return c == ',' || c == ' ' }) {
			if name, value, _ := strings.Cut(pair, "="); name == "sentry_key" {
				return strings.Trim(value, `"`)
			}
		}
	}
	return r.URL.Query().Get("sentry_key")
}

// eventBody keeps the body from being read as parameters.
type eventBody struct{ rest.Body }

// receipt is the answer to an SDK. The id is nil for an envelope without an event and an id.
type receipt struct {
	ID *string `json:"id"`
}

func (a collector) receiveEnvelope(ctx context.Context, s sender, _ eventBody) (receipt, error) {
	events, err := s.envelope.Events()
	if err != nil {
		return receipt{}, err
	}
	return s.receive(ctx, s.envelope.EventID, events...)
}

func (a collector) receiveStore(ctx context.Context, s sender, _ eventBody) (receipt, error) {
	event, err := errortracking.ReadStore(s.body)
	if err != nil {
		return receipt{}, err
	}
	return s.receive(ctx, "", event)
}

// receive stores events, all of which must be good. The first has the id of the envelope if it has
// none of its own.
func (s sender) receive(ctx context.Context, id string, events ...[]byte) (answer receipt, err error) {
	reports := make([]errortracking.Report, len(events))
	for n, text := range events {
		if reports[n], err = errortracking.ReadReport(text, id); err != nil {
			return answer, err
		}
		if n == 0 {
			answer.ID, id = &reports[n].EventID, ""
		}
	}
	for _, report := range reports {
		if err := errortracking.Receive(ctx, s.Store, s.ProjectID, report); err != nil {
			return answer, err
		}
	}
	if answer.ID == nil && id != "" {
		answer.ID = &id
	}
	return answer, nil
}

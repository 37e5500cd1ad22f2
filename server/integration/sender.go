package integration

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/hook"
	"hew/server/integration/send"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

// Sender tells services of events. It needs the store that is bound to the pool: it commits as it
// goes, and no transaction is open while it waits for another host.
type Sender struct {
	Out     *outbound.Guard
	Base    string // the address of this instance, without a trailing slash
	Version string
	Log     *slog.Logger
}

// deliver has an integration act on an event, if it is still active. It fails, and is tried again,
// if a service did not answer or answered that it cannot do so now. Requests that were delivered
// are not repeated. A refusal is recorded and final.
func (s *Sender) deliver(ctx context.Context, st *db.Store, j SendJob) error {
	i, err := findIntegration(ctx, st, j.Integration)
	if err != nil || !i.Active {
		return fault.IgnoreNotFound(err)
	}
	body, err := hook.Body(ctx, st, s.Base, j.Event, j.Project, j.User, j.Payload)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	o, err := s.act(ctx, st, i, send.Event{
		Kind: j.Event, ID: j.Key, Branch: j.Branch, Protected: j.Protected, Body: body,
	}, nil)
	if err == nil && o.again {
		err = fmt.Errorf("integration %s of project %d: %s", i.Slug, j.Project, o.problem)
	}
	return err
}

// outcome is what came of an event.
type outcome struct {
	requests int    // that were sent
	problem  string // why a request was not delivered; empty: all were
	again    bool   // a later attempt may succeed
}

// act has an integration act on an event.
func (s *Sender) act(
	ctx context.Context, st *db.Store, i Integration, e send.Event, testedBy *int64,
) (outcome, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil || settings.SilentMode {
		return outcome{problem: "silent mode is on"}, err
	}
	values, secrets, err := plainSettings(ctx, st, i)
	if err != nil {
		return outcome{}, err
	}
	e.Base, e.Header = s.Base, hook.Header(e.Kind)
	if e, err = send.New(e); err != nil {
		return outcome{}, err
	}
	if e.Kind == send.PipelineEvents && values[send.OnlyChanges] == true {
		before, err := ci.StatusBefore(ctx, st, e.Object.ID)
		if err != nil {
			return outcome{}, err
		}
		e.Unchanged = string(before) == e.Object.Status
	}
	c := caller{
		Sender: s, store: st, policy: setting.OutboundPolicy(settings), redact: hook.NewRedactor(secrets),
		about: i.Container, row: Delivery{IntegrationID: i.ID, Event: e.Kind, Key: e.ID, TestedBy: testedBy},
	}
	err = send.Of(i.Slug).Run(ctx, e, values, c.call)
	switch {
	case c.broken != nil: // this server's own failure
		return c.outcome, c.broken
	case err != nil && c.problem == "": // the action found no request to make
		err = c.refuse(ctx, err)
	default:
		err = nil
	}
	return c.outcome, err
}

// Trial is the outcome of a test of an integration.
type Trial struct {
	Event     string  `json:"event"` // the kind of the sample data that was sent
	Delivered bool    `json:"delivered"`
	Message   *string `json:"message"` // why it was not delivered
}

// maxTestsPerMinute limits the tests of an integration that a user may request in a minute.
const maxTestsPerMinute = 5

// Test has an integration act on sample data of the project now, or of the newest project in the
// group. Kind is the event; empty: the first one of the integration that there is a sample of.
func (s *Sender) Test(
	ctx context.Context, st *db.Store, at db.Container, slug, kind string, by tree.User,
) (Trial, error) {
	i, err := Integrations(st, at).One(ctx, BySlug(slug))
	if err != nil {
		return Trial{}, err
	}
	action := send.Of(slug)
	switch {
	case !i.Active:
		return Trial{}, fault.Unprocessable("The integration is not active")
	case len(action.Kinds()) == 0:
		return Trial{}, fault.Unprocessable("The integration sends nothing: " + string(action.Class))
	case kind != "" && action.Flag(kind) == "":
		return Trial{}, fault.Param("event does not have a valid value")
	}
	n, err := countTests(ctx, st, i.ID, by.ID)
	if err == nil && n >= maxTestsPerMinute {
		err = fault.TooMany("")
	}
	if err != nil {
		return Trial{}, err
	}
	kind, body, err := s.sample(ctx, st, action, kind, at, by)
	if err != nil {
		return Trial{}, err
	}
	e := send.Event{Kind: kind, ID: hook.NewUUID(), Body: body, Sample: true}
	o, err := s.act(ctx, st, i, e, &by.ID)
	t := Trial{Event: kind, Delivered: o.requests > 0 && o.problem == ""}
	if o.requests == 0 && o.problem == "" {
		o.problem = "the sample data gives the integration nothing to send"
	}
	if !t.Delivered {
		t.Message = &o.problem
	}
	return t, err
}

// sample returns sample data of a kind, or of the first kind that there is a sample of, pushes
// before others.
func (s *Sender) sample(
	ctx context.Context, st *db.Store, action send.Action, kind string, at db.Container, by tree.User,
) (_ string, body []byte, err error) {
	kinds := []string{kind}
	if kind == "" {
		kinds = action.Kinds()
		if action.Flag(send.PushEvents) != "" {
			kinds = []string{send.PushEvents}
		}
	}
	for _, kind = range kinds {
		if body, err = hook.Sample(ctx, st, s.Base, kind, at, by); err == nil {
			break
		}
	}
	return kind, body, err
}

// digest identifies a request among those of an event, without its secrets.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// errNotDelivered is what actions get of a request that was not delivered. The reason is in the
// outcome.
var errNotDelivered = errors.New("not delivered")

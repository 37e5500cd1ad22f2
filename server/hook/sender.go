package hook

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/setting"
)

// Sender sends deliveries. It needs the store that is bound to the pool: it commits as it goes, and
// no transaction is open while it waits for another host.
type Sender struct {
	Out     *outbound.Guard
	Base    string // the address of this instance, without a trailing slash
	Version string
	Log     *slog.Logger
}

// deliver sends an event if the hook still exists and is neither paused nor disabled. A failing
// receiver does not fail the job: the failure is recorded, counted for the hook, and not retried
// (gaps §13.6).
func (s *Sender) deliver(ctx context.Context, st *db.Store, d DeliveryJob) error {
	h, err := FindHook(ctx, st, d.Hook)
	if err != nil || h.AlertStatus != isExecutable {
		return fault.IgnoreNotFound(err)
	}
	settings, err := s.checkAllowed(ctx, st, h)
	if err != nil {
		s.Log.Warn("hook not called", "hook", h.ID, "reason", err)
		return nil
	}
	e, ok := eventOf(d.Event)
	if !ok {
		s.Log.Warn("hook not called", "hook", h.ID, "reason", "no event "+d.Event)
		return nil
	}
	body, err := s.body(ctx, st, e, d)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	_, _, err = s.send(ctx, st, settings, h, delivery{event: e, chain: d.Chain, key: d.Key, body: body})
	return err
}

// isExecutable is the AlertStatus of a hook that is neither paused nor disabled.
const isExecutable = "executable"

// checkAllowed returns the settings, or the reason why the hook must not be called now.
func (s *Sender) checkAllowed(ctx context.Context, st *db.Store, h Hook) (setting.Settings, error) {
	settings, err := setting.Read(ctx, st)
	switch {
	case err != nil:
		return settings, err
	case settings.SilentMode:
		return settings, fault.Unprocessable("Silent mode enabled")
	case settings.HookCallsPerMinute == 0 || isInstance(h.Container):
		return settings, nil
	}
	ok, err := countCall(ctx, st, h, settings.HookCallsPerMinute)
	if err == nil && !ok {
		err = fault.TooMany("")
	}
	return settings, err
}

// delivery is a delivery that is ready to be sent.
type delivery struct {
	event      hookEvent
	chain, key string
	body       json.RawMessage
	asked      string // askedTest or askedAgain; empty: nobody asked for it
	by         int64  // the user who asked
}

// Limits of the record of a delivery, in bytes and fields.
const (
	maxLoggedRequest  = 256 << 10 // a longer one is not stored and cannot be sent again
	maxLoggedResponse = 8 << 10
	maxLoggedHeaders  = 50
)

var oversize = json.RawMessage(`{"oversize":true}`)

// send sends a delivery and records it. It returns the record, the reason why there was no answer
// (lost), and an error of this server.
func (s *Sender) send(
	ctx context.Context, st *db.Store, set setting.Settings, h Hook, d delivery,
) (l Log, lost, err error) {
	request, unsent := newHookRequest(st, h, []outbound.Field{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "User-Agent", Value: "GitLab/" + s.Version},
		{Name: "X-Gitlab-Event", Value: d.event.header()},
		{Name: "X-Gitlab-Webhook-UUID", Value: h.UUID},
		{Name: "X-Gitlab-Instance", Value: s.Base},
		{Name: ChainHeader, Value: d.chain},
		{Name: "Idempotency-Key", Value: d.key},
	}, d.body)
	l = Log{
		HookID: h.ID, Trigger: d.event.trigger(), URL: h.URL, EventUUID: d.chain, IdempotencyKey: d.key,
		RequestHeaders: request.shown, RequestData: d.body,
	}
	if d.asked != "" {
		l.Asked, l.AskedBy = d.asked, &d.by
	}
	if len(d.body) > maxLoggedRequest {
		l.RequestData = oversize
	}
	if l, err = s.beginLog(ctx, st, h, l); err != nil {
		return l, nil, err
	}
	var answer outbound.Answer
	begun := time.Now()
	if lost = unsent; lost == nil {
		request.MaxAnswer = maxLoggedResponse * 3 / 2 // so that a secret at the end of the record is read in full
		answer, lost = s.Out.Post(
			ctx, outbound.Options{Policy: outboundPolicy(set, h), Insecure: request.insecure}, request.Request,
		)
	}
	l.ExecutionDuration = time.Since(begun).Seconds()
	recordAnswer(&l, request, answer, lost)
	// A sent delivery is recorded even if the server is about to stop.
	return l, lost, EndLog(context.WithoutCancel(ctx), st, l)
}

// recordAnswer records an answer without the secrets that it may contain.
func recordAnswer(l *Log, r hookRequest, a outbound.Answer, lost error) {
	clean := func(text string) string {
		if r.redact != nil {
			text = r.redact.Replace(text)
		}
		return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	}
	l.ResponseStatus, l.ResponseHeaders = new(a.Status), map[string]string{}
	if lost != nil {
		l.ResponseStatus = new(0)
		l.ResponseBody = clean(lost.Error())
		return
	}
	for name, values := range a.Header {
		if len(l.ResponseHeaders) < maxLoggedHeaders {
			l.ResponseHeaders[clean(name)] = clean(strings.Join(values, ", "))
		}
	}
	body := string(a.Body)
	if int64(len(body)) == r.MaxAnswer && r.redact != nil { // there may have been more
		body = r.redact.cutPartialSecret(body)
	}
	text := clean(body)
	l.ResponseBody = strings.ToValidUTF8(text[:min(len(text), maxLoggedResponse)], "")
}

// DeliveryJob sends an event to the receiver of a hook.
type DeliveryJob struct {
	jobs.Once
	Hook    int64           `json:"hook"`
	Event   string          `json:"event"`             // the flag of its kind
	Project int64           `json:"project,omitempty"` // where it happened, if the event tells of a project
	User    int64           `json:"user,omitempty"`    // who did it, if the event tells of a user
	Chain   string          `json:"chain"`             // the UUID of the chain that it belongs to
	Key     string          `json:"key"`               // the UUID of this delivery
	Payload json.RawMessage `json:"payload"`           // of this event alone
}

// Kind returns the name of the job.
func (DeliveryJob) Kind() string { return "deliver_hook" }

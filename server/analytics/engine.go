package analytics

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

// engineTimeout limits a request to the engine, which itself asks clients after 5 s to continue
// waiting.
const engineTimeout = 30 * time.Second

// maxEngineAnswer is how many bytes an answer of the engine may have.
const maxEngineAnswer = 32 << 20

// keySetting is the setting with the key of the engine.
const keySetting = "cube_api_key"

// Engine is the engine of the instance.
type Engine struct {
	Out  *outbound.Guard
	Base string // the address of this instance
}

// Question is a request to the engine.
type Question struct {
	Path         string  // load, dry-run or meta
	Query        Query   // checked; nil: there is none
	Type         string  // of the query: multi, regularQuery …
	ProjectToken *string // for the engine to call this instance; nil: none
}

// Result is the answer of the engine.
type Result struct {
	JSON  json.RawMessage // an object
	Token string          // that the engine was asked with
}

// Ask sends a question about a project and returns the answer, which can be that the engine is
// still at work: {"error": "Continue wait"}. The fault is "not found" where the engine is not set
// up, the project is a personal one, or the engine has no data of it; "invalid" with the engine's
// words where it refuses the question; and "bad gateway" where it fails (transfer.md §7). It must
// not be called within a transaction, since the engine may be slow.
func (e Engine) Ask(ctx context.Context, st *db.Store, p tree.Project, q Question) (Result, error) {
	settings, key, err := e.access(ctx, st, p)
	if err != nil {
		return Result{}, err
	}
	token, err := sign(key, claimsFor(p, e.Base, q.ProjectToken, time.Now()))
	if err != nil {
		return Result{}, err
	}
	request, err := q.request(settings.AnalyticsEngine, token)
	if err != nil {
		return Result{}, err
	}
	out := *e.Out
	out.Timeout = cmp.Or(out.Timeout, engineTimeout)
	answer, err := out.Send(ctx, outbound.Options{Policy: setting.OutboundPolicy(settings)}, request)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case err != nil: // its text can have the name of an internal host
		return Result{}, fault.BadGateway("The analytics engine cannot be reached").Because(err)
	}
	text, err := readAnswer(answer)
	return Result{JSON: text, Token: token}, err
}

// CheckEnabled returns a fault unless the engine is set up and has data of projects like this one.
func (e Engine) CheckEnabled(ctx context.Context, st *db.Store, p tree.Project) error {
	_, _, err := e.access(ctx, st, p)
	return err
}

// access returns the settings, which have the address of the engine, and its key, or a fault as
// CheckEnabled does.
func (Engine) access(
	ctx context.Context, st *db.Store, p tree.Project,
) (settings setting.Settings, key string, err error) {
	if settings, err = setting.Read(ctx, st); err != nil {
		return settings, "", err
	}
	if key, err = setting.ReadSecret(ctx, st, keySetting); err != nil {
		return settings, "", err
	}
	if settings.AnalyticsEngine == "" || key == "" || p.NamespaceKind == "user" {
		return settings, "", fault.NotFound("Product Analytics is not enabled").In(fault.Text)
	}
	return settings, key, nil
}

// request returns the question as a request. The token is sent without a scheme before it.
func (q Question) request(base, token string) (outbound.Request, error) {
	r := outbound.Request{
		Method: "GET", URL: strings.TrimRight(base, "/") + "/cubejs-api/v1/" + q.Path, MaxAnswer: maxEngineAnswer + 1,
		Header: []outbound.Field{{Name: "Authorization", Value: token}, {Name: "Accept", Value: "application/json"}},
	}
	if q.Query == nil {
		return r, nil
	}
	body, err := db.EncodeJSON(map[string]any{"query": q.Query, "queryType": q.Type})
	if err != nil {
		return r, fmt.Errorf("encode a query: %w", err)
	}
	r.Method, r.Body = "POST", body
	r.Header = append(r.Header, outbound.Field{Name: "Content-Type", Value: "application/json"})
	return r, nil
}

// continueWait is what the engine answers as long as it is at work. Clients then ask again.
const continueWait = "Continue wait"

// maxEngineError is how many bytes of an error of the engine are shown.
const maxEngineError = 1_000

// readAnswer returns the object that the engine answers with, or the fault that the answer stands
// for.
func readAnswer(a outbound.Answer) (json.RawMessage, error) {
	if len(a.Body) > maxEngineAnswer {
		return nil, fault.BadGateway(
			fmt.Sprintf("The answer of the analytics engine has more than %d MiB: ask for less", maxEngineAnswer>>20))
	}
	if encoding := a.Header.Get("Content-Encoding"); encoding != "" { // gzip alone is asked for, and gone here
		return nil, fault.BadGateway(fmt.Sprintf("The analytics engine answered in the encoding %.20q, which "+
			"was not asked for", encoding))
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(a.Body, &object); err != nil || object == nil {
		return nil, fault.BadGateway("The analytics engine did not answer with a JSON object").
			Because(errors.Join(fmt.Errorf("status %d", a.Status), err))
	}
	if said, failed := object["error"]; failed && string(said) != "null" {
		var text string
		if json.Unmarshal(said, &text) != nil {
			text = string(said)
		}
		return a.Body, engineFault(text)
	}
	if a.Status < 200 || a.Status > 299 {
		return nil, fault.BadGateway(fmt.Sprintf("The analytics engine answered with HTTP status %d", a.Status))
	}
	return a.Body, nil
}

// engineFault returns the fault of an error that the engine gives, nil for one that is none.
func engineFault(text string) error {
	switch {
	case text == continueWait:
		return nil
	case strings.Contains(text, "Code: 60.") || strings.Contains(text, "Code: 81.") ||
		strings.Contains(text, "UNKNOWN_TABLE") || strings.Contains(text, "UNKNOWN_DATABASE"):
		return fault.NotFound("Clickhouse Database")
	}
	return fault.BadRequest(strings.ToValidUTF8(text[:min(len(text), maxEngineError)], ""))
}

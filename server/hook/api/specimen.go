package api

import (
	"context"
	"encoding/json"
	"fmt"

	"hew/server/db"
	"hew/server/hook"
	"hew/server/part"
)

// specimen creates n hooks of a group, a project or the instance, each with n variables and
// headers, and n deliveries of the last one.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{"key": "key-0", "trigger": "push_events"}
	var last hook.Hook
	for range n {
		var err error
		if last, err = specimenHook(ctx, h, at, n); err != nil {
			return nil, err
		}
		values["hook_id"] = fmt.Sprint(last.ID)
	}
	for range n {
		id, err := specimenDelivery(ctx, h, last)
		if err != nil {
			return nil, err
		}
		values["hook_log_id"] = fmt.Sprint(id)
	}
	return values, nil
}

// specimenHook stores a hook whose address no settings allow, so that nothing is ever sent to it.
// CreateHook would refuse it.
func specimenHook(ctx context.Context, h *db.Store, at part.Place, n int) (hook.Hook, error) {
	ho, err := hook.NewHook(ctx, h, at.Container)
	if err != nil {
		return ho, err
	}
	secrets := hook.Secrets{URL: new("http://127.0.0.1:1")}
	for i := range n {
		secret := hook.Secret{Key: fmt.Sprint("key-", i), Value: "value"}
		secrets.Variables, secrets.Headers = append(secrets.Variables, secret), append(secrets.Headers, secret)
	}
	if err := secrets.Into(h, &ho); err != nil {
		return ho, err
	}
	return hook.Hooks(h, at.Container).Create(ctx, ho)
}

const specimenUUID = "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11"

// specimenDelivery records a delivery that was answered, and returns its id.
func specimenDelivery(ctx context.Context, h *db.Store, of hook.Hook) (int64, error) {
	l, err := hook.BeginLog(ctx, h, hook.Log{
		HookID: of.ID, Trigger: "push_hooks", EventUUID: specimenUUID, IdempotencyKey: specimenUUID,
		RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
	})
	if err != nil {
		return 0, err
	}
	l.ResponseStatus = new(200)
	return l.ID, hook.EndLog(ctx, h, l)
}

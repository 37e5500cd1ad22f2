package hook

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/tree"
)

// asksPerMinute is how many tests of the hooks of one group or project a user may ask for, and how many deliveries to be sent
// again (gaps §1.6).
const asksPerMinute = 5

// Test sends a hook a sample of what a flag stands for, now, also if failures keep it from being sent anything: when the
// receiver takes it, they are forgotten. It fails with what went wrong.
func (c *Courier) Test(ctx context.Context, at db.Container, id int64, trigger string, by tree.User) error {
	h, err := Hooks(c.Store, at).One(ctx, db.ByID(id))
	if err != nil {
		return err
	}
	e, ok := eventOf(trigger)
	if !ok || e.Sample == nil || e.Group && at.NamespaceID == nil {
		return fault.Param("trigger does not have a valid value")
	}
	body, err := c.sample(ctx, e, at, by)
	if err != nil {
		return err
	}
	l, err := c.now(ctx, h, delivery{event: e, chain: event.NewUUID(), key: event.NewUUID(), body: body, asked: AskedTest, by: by.ID})
	if err != nil {
		return err
	}
	if !succeeded(l) {
		return fault.Unprocessable(fmt.Sprintf("Hook executed successfully but returned HTTP %d %s", *l.ResponseStatus, l.ResponseBody))
	}
	return nil
}

// begin records a delivery that is about to be sent, and refuses one that is asked for too often: of those that are asked for
// at once, each sees those before it.
func (c *Courier) begin(ctx context.Context, h Hook, l HookLog) (HookLog, error) {
	if l.Asked == "" {
		return BeginHookLog(ctx, c.Store, l)
	}
	err := c.Store.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, fmt.Sprintf("%s of hooks of %s by %d", l.Asked, h.Container, *l.AskedBy)); err != nil {
			return err
		}
		asked, err := AskedLately(ctx, st, h.Container, l.Asked, *l.AskedBy)
		if err == nil && asked >= asksPerMinute {
			err = fault.TooMany("")
		}
		if err == nil {
			l, err = BeginHookLog(ctx, st, l)
		}
		return err
	})
	return l, err
}

// sample is the body of a test.
func (c *Courier) sample(ctx context.Context, e hookEvent, at db.Container, by tree.User) (body []byte, err error) {
	s := scene{by: by, web: c.Base}
	if at.NamespaceID != nil {
		if s.group, err = tree.FindGroup(ctx, c.Store, *at.NamespaceID); err != nil {
			return nil, err
		}
	}
	if s.project, err = NewestProject(ctx, c.Store, at); fault.IgnoreNotFound(err) != nil {
		return nil, err
	}
	payload, err := e.Sample(ctx, c.Store, s)
	if err != nil {
		return nil, err
	}
	text, err := event.Encode(payload)
	if err != nil {
		return nil, err
	}
	return c.told(ctx, e, jobs.DeliverHook{Project: s.project.ID, User: by.ID, Payload: text})
}

// Resend sends a delivery again, as it was but for what the hook is now, and returns the status of the answer.
func (c *Courier) Resend(ctx context.Context, at db.Container, id, logID int64, by tree.User) (status int, err error) {
	h, err := Hooks(c.Store, at).One(ctx, db.ByID(id))
	if err != nil {
		return 0, err
	}
	old, err := FindHookLog(ctx, c.Store, h.ID, logID)
	if err != nil {
		return 0, err
	}
	e, ok := eventWhere(func(e hookEvent) bool { return e.Trigger() == old.Trigger })
	if !ok || string(old.RequestData) == string(oversize) {
		return 0, fault.Unprocessable("The delivery cannot be sent again: it was too large to be kept")
	}
	l, err := c.now(ctx, h, delivery{event: e, chain: event.NewUUID(), key: old.IdempotencyKey, body: old.RequestData, asked: AskedAgain, by: by.ID})
	if err != nil {
		return 0, err
	}
	return *l.ResponseStatus, nil
}

// now sends at somebody's request, who is told if there is no answer.
func (c *Courier) now(ctx context.Context, h Hook, d delivery) (HookLog, error) {
	settings, err := c.admitted(ctx, h)
	if err != nil {
		return HookLog{}, err
	}
	l, lost, err := c.send(ctx, settings, h, d)
	if err == nil && lost != nil {
		err = fault.Unprocessable(l.ResponseBody)
	}
	return l, err
}

package hook

import (
	"context"
	"encoding/json"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// maxAskedPerMinute limits the tests, and likewise the repeated deliveries, that a user may request
// in a minute from the hooks of a group, a project or the instance (gaps §1.6).
const maxAskedPerMinute = 5

// Test sends a sample of an event to a hook now, even if failures have disabled the hook; a success
// resets them. It returns what it sent, or a fault with the answer if the receiver does not accept
// it.
func (s *Sender) Test(
	ctx context.Context, st *db.Store, at db.Container, id int64, trigger string, by tree.User,
) (sent json.RawMessage, err error) {
	h, err := Hooks(st, at).One(ctx, db.ByID(id))
	if err != nil {
		return nil, err
	}
	e, ok := eventOf(trigger)
	if !ok || e.sample == nil || !e.concerns(at) {
		return nil, fault.Param("trigger does not have a valid value")
	}
	body, err := s.sample(ctx, st, e, at, by)
	if err != nil {
		return nil, err
	}
	l, err := s.sendNow(
		ctx, st, h, delivery{event: e, chain: NewUUID(), key: NewUUID(), body: body, asked: askedTest, by: by.ID},
	)
	if err != nil {
		return nil, err
	}
	if !l.succeeded() {
		return nil, fault.Unprocessable(
			fmt.Sprintf("Hook executed successfully but returned HTTP %d %s", *l.ResponseStatus, l.ResponseBody),
		)
	}
	return body, nil
}

// beginLog records a delivery that is about to be sent. It returns a fault for a requested one
// beyond the limit. Simultaneous requests are counted one after the other.
func (s *Sender) beginLog(ctx context.Context, st *db.Store, h Hook, l Log) (Log, error) {
	if l.Asked == "" {
		return BeginLog(ctx, st, l)
	}
	err := st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx,
			fmt.Sprintf("%s of hooks of %s by %d", l.Asked, h.Container, *l.AskedBy)); err != nil {
			return err
		}
		asked, err := countAsked(ctx, st, h.Container, l.Asked, *l.AskedBy)
		if err == nil && asked >= maxAskedPerMinute {
			err = fault.TooMany("")
		}
		if err == nil {
			l, err = BeginLog(ctx, st, l)
		}
		return err
	})
	return l, err
}

// sample returns the body of a test.
func (s *Sender) sample(
	ctx context.Context, st *db.Store, e hookEvent, at db.Container, by tree.User,
) (body []byte, err error) {
	about := sampleScope{by: by, web: s.Base}
	if at.NamespaceID != nil {
		if about.group, err = tree.FindGroup(ctx, st, *at.NamespaceID); err != nil {
			return nil, err
		}
	}
	if !isInstance(at) {
		if about.project, err = newestProject(ctx, st, at); fault.IgnoreNotFound(err) != nil {
			return nil, err
		}
	}
	payload, err := e.sample(ctx, st, about)
	if err != nil {
		return nil, err
	}
	text, err := db.EncodeJSON(payload)
	if err != nil {
		return nil, err
	}
	return s.body(ctx, st, e, DeliveryJob{Project: about.project.ID, User: by.ID, Payload: text})
}

// Resend repeats a delivery with the hook's present settings and returns the status of the answer,
// or a fault if there is none.
func (s *Sender) Resend(
	ctx context.Context, st *db.Store, at db.Container, id, logID int64, by tree.User,
) (status int, err error) {
	h, err := Hooks(st, at).One(ctx, db.ByID(id))
	if err != nil {
		return 0, err
	}
	old, err := findLog(ctx, st, h.ID, logID)
	if err != nil {
		return 0, err
	}
	e, ok := eventWhere(func(e hookEvent) bool { return e.trigger() == old.Trigger && e.concerns(at) })
	if !ok || string(old.RequestData) == string(oversize) {
		return 0, fault.Unprocessable("The delivery cannot be sent again: it was too large to be kept")
	}
	l, err := s.sendNow(ctx, st, h,
		delivery{
			event: e, chain: NewUUID(), key: old.IdempotencyKey, body: old.RequestData, asked: askedAgain, by: by.ID,
		})
	if err != nil {
		return 0, err
	}
	return *l.ResponseStatus, nil
}

// sendNow sends a delivery that a user requested. It fails if there is no answer.
func (s *Sender) sendNow(ctx context.Context, st *db.Store, h Hook, d delivery) (Log, error) {
	settings, err := s.checkAllowed(ctx, st, h)
	if err != nil {
		return Log{}, err
	}
	l, lost, err := s.send(ctx, st, settings, h, d)
	if err == nil && lost != nil {
		err = fault.Unprocessable(l.ResponseBody)
	}
	return l, err
}

package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// lockInfo is who holds a lock, in Terraform's form. Whoever locks by other means
// may leave out any of it.
type lockInfo struct {
	ID        string `json:",omitempty"` // without one, whichever lock there is
	Operation string
	Info      string
	Who       string
	Version   string
	Created   string // RFC 3339
	Path      string
}

// process is what Info says, so that the run can be found.
const process = "process %d on %s"

// lockOf reads who holds a lock from an answer, as far as it says.
func lockOf(body []byte) (l lockInfo) {
	_ = json.Unmarshal(body, &l) // what does not fit says nothing
	return l
}

func (w *web) lockedBy(l lockInfo) error {
	h := Holder{Who: l.Who}
	h.Since, _ = time.Parse(time.RFC3339, l.Created)
	_, _ = fmt.Sscanf(l.Info, process, &h.PID, &h.Host) // of another program it says something else
	return &LockedError{Where: w.where, Holder: h, ID: l.ID, Stays: true}
}

// lock asks with the same ID until there is an answer: a lock of that ID is ours.
func (w *web) lock(ctx context.Context, who string) (func() error, error) {
	if w.config.LockAddress == "" {
		return func() error { return nil }, nil
	}
	h := newHolder(who)
	// An ID is typed after hew ledger unlock: no letter of it may be taken for a flag.
	mine := lockInfo{ID: rand.Text(), Operation: "hew", Info: fmt.Sprintf(process, h.PID, h.Host), Who: h.Who, Created: h.Since.Format(time.RFC3339)}
	body, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	err = w.insist(ctx, func() error {
		a, err := w.ask(ctx, w.locks, "", body)
		switch {
		case err != nil:
			return fmt.Errorf("cannot lock the ledger: %w", err)
		case a.status == http.StatusOK, a.status == http.StatusCreated, a.status == http.StatusNoContent:
			return nil
		case a.status == http.StatusConflict, a.status == http.StatusLocked:
			if other := lockOf(a.body); other.ID != mine.ID {
				return w.lockedBy(other)
			}
			return nil
		}
		return fmt.Errorf("cannot lock the ledger: %w", a.failure(w.refused(a)))
	})
	if err != nil {
		return nil, err
	}
	w.held.Store(&mine.ID)
	return func() error {
		w.held.Store(nil)
		return w.unlock(context.WithoutCancel(ctx), body, func(lockInfo) error {
			return fmt.Errorf("the lock %s of the ledger %s is not there any more, so somebody has freed it while this run held it", mine.ID, w.where)
		})
	}, nil
}

// unlock gives a lock back; other words the error where there is none, or another
// one. When it has to be asked twice, the first time may have done it.
func (w *web) unlock(ctx context.Context, body []byte, other func(lockInfo) error) error {
	asked := 0
	return w.insist(ctx, func() error {
		asked++
		a, err := w.ask(ctx, w.unlocks, "", body)
		switch {
		case err != nil:
			return fmt.Errorf("cannot unlock the ledger: %w", err)
		case a.status == http.StatusOK, a.status == http.StatusCreated, a.status == http.StatusNoContent:
			return nil
		case a.status == http.StatusConflict, a.status == http.StatusLocked:
			if asked > 1 {
				return nil
			}
			return other(lockOf(a.body))
		}
		return fmt.Errorf("cannot unlock the ledger: %w", a.failure(w.refused(a)))
	})
}

func (w *web) free(ctx context.Context, id string) error {
	if w.config.LockAddress == "" {
		return errors.New("the ledger has no lock: lock_address is not set")
	}
	body, err := json.Marshal(lockInfo{ID: id})
	if err != nil {
		return err
	}
	return w.unlock(ctx, body, func(l lockInfo) error {
		switch {
		case l.ID != "":
			return fmt.Errorf("the lock of the ledger %s is %s, and not %s", w.where, l.ID, id)
		case id != "":
			return fmt.Errorf("the ledger %s has another lock than %s, or none; leave the ID out to free whichever there is", w.where, id)
		}
		return fmt.Errorf("the ledger %s does not give its lock back without an ID: ask whoever runs that server", w.where)
	})
}

// held is the ID of the lock that this process has.
type held struct{ atomic.Pointer[string] }

func (h *held) id() string {
	if id := h.Load(); id != nil {
		return *id
	}
	return ""
}

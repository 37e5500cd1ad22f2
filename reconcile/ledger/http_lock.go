package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// lockInfo is the holder of a lock in Terraform's form. Other programs may leave out any field.
type lockInfo struct {
	ID        string `json:",omitempty"` // "" in a request to unlock: any lock
	Operation string
	Info      string
	Who       string
	Version   string
	Created   string // RFC 3339
	Path      string
}

// processFormat is the form of lockInfo.Info: process id and name of the machine.
const processFormat = "process %d on %s"

// parseLockInfo reads the holder of a lock from a response, as far as it is there.
func parseLockInfo(body []byte) (l lockInfo) {
	_ = json.Unmarshal(body, &l) // fields of other types stay empty
	return l
}

func (s *httpStore) lockedError(l lockInfo) error {
	h := Holder{Who: l.Who}
	h.Since, _ = time.Parse(time.RFC3339, l.Created)
	_, _ = fmt.Sscanf(l.Info, processFormat, &h.PID, &h.Host) // other programs write something else
	return &LockedError{Where: s.where, Holder: h, ID: l.ID, OutlivesHolder: true}
}

// lock requests the lock with the same ID until there is a response. If the server names a holder
// with that ID, an earlier attempt has got the lock.
func (s *httpStore) lock(ctx context.Context, who string) (func() error, error) {
	if s.config.LockAddress == "" {
		return func() error { return nil }, nil
	}
	h := newHolder(who)
	// rand.Text, because an ID that begins with "-" would be taken for a flag of hew ledger unlock.
	own := lockInfo{ID: rand.Text(), Operation: "hew", Info: fmt.Sprintf(processFormat, h.PID, h.Host), Who: h.Who,
		Created: h.Since.Format(time.RFC3339)}
	body, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	err = s.retry(ctx, func() error {
		r, err := s.request(ctx, s.lockEndpoint, "", body)
		switch {
		case err != nil:
			return fmt.Errorf("cannot lock the ledger: %w", err)
		case r.succeeded():
			return nil
		case r.isLocked():
			if other := parseLockInfo(r.body); other.ID != own.ID {
				return s.lockedError(other)
			}
			return nil
		}
		return fmt.Errorf("cannot lock the ledger: %w", r.retryIfServerError(s.refusal(r)))
	})
	if err != nil {
		return nil, err
	}
	s.heldLock.Store(&own.ID)
	return func() error {
		s.heldLock.Store(nil)
		return s.unlock(context.WithoutCancel(ctx), body, func(lockInfo) error {
			return fmt.Errorf("the lock %s of the ledger %s was released by somebody else while this run held it. "+
				"Run hew plan to see whether another run interfered", own.ID, s.where)
		})
	}, nil
}

// unlock releases a lock. notHeld returns the error if another lock is held, or none. It does not
// apply to a second attempt, because the first may have released the lock.
func (s *httpStore) unlock(ctx context.Context, body []byte, notHeld func(lockInfo) error) error {
	attempts := 0
	return s.retry(ctx, func() error {
		attempts++
		r, err := s.request(ctx, s.unlockEndpoint, "", body)
		switch {
		case err != nil:
			return fmt.Errorf("cannot unlock the ledger: %w", err)
		case r.succeeded(), r.isLocked() && attempts > 1:
			return nil
		case r.isLocked():
			return notHeld(parseLockInfo(r.body))
		}
		return fmt.Errorf("cannot unlock the ledger: %w", r.retryIfServerError(s.refusal(r)))
	})
}

func (s *httpStore) forceUnlock(ctx context.Context, id string) error {
	if s.config.LockAddress == "" {
		return errors.New("the ledger has no lock because lock_address is not set")
	}
	body, err := json.Marshal(lockInfo{ID: id})
	if err != nil {
		return err
	}
	return s.unlock(ctx, body, func(l lockInfo) error {
		switch {
		case l.ID != "":
			return wrongLockError(s.where, l.ID, id)
		case id != "":
			return fmt.Errorf("the ledger %s is not locked with the ID %s. "+
				"To release its current lock, run hew ledger unlock without an ID", s.where, id)
		}
		return fmt.Errorf("the server of the ledger %s requires a lock ID but does not report it. "+
			"Ask the administrator of that server to release it", s.where)
	})
}

// heldLock is the ID of the lock that this process holds.
type heldLock struct{ atomic.Pointer[string] }

// id returns "" if the process holds no lock.
func (h *heldLock) id() string {
	if id := h.Load(); id != nil {
		return *id
	}
	return ""
}

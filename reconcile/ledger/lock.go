package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// lockRetryInterval is the pause between two attempts to get a lock. Polling is needed because
// flock cannot wait and be given up.
const lockRetryInterval = 100 * time.Millisecond

// Holder is the process that holds a lock.
type Holder struct {
	Who   string    `json:"who"`
	PID   int       `json:"pid"`
	Host  string    `json:"host"` // name of the machine
	Since time.Time `json:"since"`
}

// String names the holder, as far as it is known.
func (h Holder) String() string {
	text := cmp.Or(h.Who, "another run")
	if h.PID != 0 {
		text += fmt.Sprintf(" (process %d on %s)", h.PID, h.Host)
	}
	if !h.Since.IsZero() {
		text += " since " + h.Since.Local().Format(time.DateTime)
	}
	return text
}

func newHolder(who string) Holder {
	host, _ := os.Hostname() // only shown to people
	return Holder{Who: who, PID: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second)}
}

// LockedError reports that another run holds the lock of the ledger.
type LockedError struct {
	Where          string
	Holder         Holder // zero if the holder has not written its name yet
	ID             string // to pass to ForceUnlock; "" if the backend has none
	OutlivesHolder bool   // the lock outlives its holder
}

// Error names the holder and how the lock is released.
func (e *LockedError) Error() string {
	const stays = "The lock stays if that process is killed. Once you are sure that it is not running, " +
		"run hew ledger unlock"
	release := "The lock is released when that process ends"
	switch {
	case e.OutlivesHolder && e.ID == "":
		release = stays
	case e.OutlivesHolder:
		release = stays + " " + e.ID
	case e.ID != "":
		release = "The lock is released when that process or its connection ends. " +
			"If it hangs, run hew ledger unlock " + e.ID
	}
	return fmt.Sprintf("the ledger %s is locked by %s. "+
		"Wait for that run to end, or let hew wait for it with -lock-timeout=5m. %s",
		e.Where, e.Holder, release)
}

// waitForLock tries to get a lock. While another run holds it, it tries again until the deadline of
// ctx; without a deadline it tries once.
func waitForLock(ctx context.Context, try func() (func() error, error)) (func() error, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		unlock, err := try()
		var locked *LockedError
		if _, waits := ctx.Deadline(); !waits || !errors.As(err, &locked) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, err
			}
		case <-time.After(lockRetryInterval):
		}
	}
}

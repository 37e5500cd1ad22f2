package ledger

import (
	"cmp"
	"fmt"
	"time"
)

// HostError tells that a ledger belongs to another host than the run. Nothing
// was read from either.
type HostError struct{ Ledger, Run string }

// Error names both hosts.
func (e *HostError) Error() string {
	return fmt.Sprintf("the ledger belongs to %s, but this run talks to %s: ids of one host mean other objects on another, "+
		"so nothing was read or sent; use that host's own ledger, or, if the host has only moved, run: hew ledger rebind", e.Ledger, e.Run)
}

// KeyError tells that the ledger's secrets were digested under another key than
// the one at hand, or that there is none at hand.
type KeyError struct {
	Missing bool
	Ledger  string // fingerprint of the key it takes
}

// Error says where a key comes from.
func (e *KeyError) Error() string {
	what := "the digest key is not the one of the ledger"
	if e.Missing {
		what = "the digest key of the ledger is not here"
	}
	return fmt.Sprintf("%s (fingerprint %s), so it cannot tell which secrets have changed: set %s to the content of the file %s "+
		"that lies where the ledger was made, or, if that is lost, run: hew ledger rebind (each secret is then sent once more)",
		what, e.Ledger, KeyVariable, keyName)
}

// DamageError tells that a stored ledger is not one that hew wrote. Nothing of
// it was used or changed.
type DamageError struct {
	Where string // path or other name of the ledger
	Line  int    // from 1; 0 where it has no lines
	What  string

	serial uint64 // as far as it says one
}

// Error says what is wrong, and how to go on.
func (e *DamageError) Error() string {
	at := ""
	if e.Line > 0 {
		at = fmt.Sprintf(" at line %d", e.Line)
	}
	return fmt.Sprintf("the ledger %s is damaged%s: %s; nothing was read from the host or sent. "+
		"Put back its last good version, or move it away: hew then finds every object again by its key, as adopted",
		e.Where, at, e.What)
}

// FormatError tells that a newer hew wrote the ledger.
type FormatError struct {
	Where  string
	Format int
}

// Error names both formats.
func (e *FormatError) Error() string {
	return fmt.Sprintf("the ledger %s has format %d, this hew knows formats up to %d: take the version of hew that wrote it, or a later one",
		e.Where, e.Format, Format)
}

// StaleError tells that somebody else wrote the ledger since it was loaded.
type StaleError struct {
	Where  string
	Serial uint64 // as loaded
}

// Error says what was kept out.
func (e *StaleError) Error() string {
	return fmt.Sprintf("the ledger %s was changed by somebody else since this run read it (serial %d), so nothing was written to it: run again; "+
		"what this run has already done is found by its key then", e.Where, e.Serial)
}

// Holder is who holds a lock.
type Holder struct {
	Who   string    `json:"who"`
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
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

// LockedError tells that another run has the ledger.
type LockedError struct {
	Where  string
	Holder Holder // zero where the holder has not said yet who it is
	ID     string // what frees the lock, where others can free it
	Stays  bool   // the lock outlasts its holder
}

// Error names the holder.
func (e *LockedError) Error() string {
	end := "the lock ends with its process"
	switch {
	case e.Stays:
		end = "the lock stays when its process is killed; once you know that it is, free it: hew ledger unlock" + leading(e.ID)
	case e.ID != "":
		end += ", and with its connection; should that hang, free it: hew ledger unlock " + e.ID
	}
	return fmt.Sprintf("the ledger %s is locked by %s: wait for it to end, or give -lock-timeout; %s", e.Where, e.Holder, end)
}

// leading sets a word apart from what is before it, if there is one.
func leading(word string) string {
	if word == "" {
		return ""
	}
	return " " + word
}

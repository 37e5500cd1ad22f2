package ledger

import (
	"fmt"
)

// HostError reports that a ledger belongs to another host than the run. Neither was read.
type HostError struct{ Ledger, Run string }

// Error names both hosts.
func (e *HostError) Error() string {
	return fmt.Sprintf("the ledger belongs to %s, but this run uses %s. hew stopped before any request, "+
		"because ids differ between hosts. Use a separate ledger for each host. If it is the same host under a "+
		"new address, run hew ledger rebind", e.Ledger, e.Run)
}

// KeyError reports that the ledger's secrets were digested with another key than the given one, or
// that no key is given.
type KeyError struct {
	Missing bool   // no key is given
	Ledger  string // fingerprint of the key that the ledger needs
}

// Error tells where to find the key.
func (e *KeyError) Error() string {
	problem := "the digest key does not match the ledger"
	if e.Missing {
		problem = "the digest key of the ledger is missing"
	}
	return fmt.Sprintf("%s, which needs the key with fingerprint %s to detect changed secrets. "+
		"Set %s to that key; a ledger file keeps it in the file %q beside it. "+
		"If the key is lost, run hew ledger rebind, and the next apply sends every secret again",
		problem, e.Ledger, KeyVariable, KeyName)
}

// DamageError reports that a stored ledger is not as hew wrote it. Nothing of it was used or
// changed.
type DamageError struct {
	Where string // path or other name of the ledger
	Line  int    // from 1; 0 if the ledger is not a file of lines
	What  string

	serial uint64 // as far as the ledger can be read
}

// Error says what is wrong and what to do.
func (e *DamageError) Error() string {
	at := ""
	if e.Line > 0 {
		at = fmt.Sprintf(" at line %d", e.Line)
	}
	return fmt.Sprintf("the ledger %s is damaged%s: %s. hew read and wrote nothing on the host. "+
		"Restore the last good version of the ledger, or remove it: hew then finds every object by its key and "+
		"adopts it",
		e.Where, at, e.What)
}

// FormatError reports that a newer hew wrote the ledger.
type FormatError struct {
	Where  string
	Format int
}

// Error names both formats.
func (e *FormatError) Error() string {
	return fmt.Sprintf("the ledger %s has format %d, but this version of hew supports formats up to %d. "+
		"Use the version of hew that wrote the ledger, or a later one", e.Where, e.Format, Format)
}

// StaleError reports that another run has written the ledger since it was loaded.
type StaleError struct {
	Where  string
	Serial uint64 // as loaded
}

// Error tells that nothing was written, and how to go on.
func (e *StaleError) Error() string {
	return fmt.Sprintf("the ledger %s has changed since this run read it (serial %d), so this run did not write "+
		"to it. Run the command again; hew finds by its key whatever this run has already created", e.Where, e.Serial)
}

// wrongLockError returns the error for a lock ID that is not the ID of the current lock.
func wrongLockError(where, current, given string) error {
	return fmt.Errorf("the lock of the ledger %s has the ID %s, not %s", where, current, given)
}

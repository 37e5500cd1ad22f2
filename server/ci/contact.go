package ci

import (
	"context"
	"sync"
	"time"

	"hew/server/db"
)

// contactEvery is how often the contact of a manager is stored that makes contact all the time.
const contactEvery = time.Minute

// maxContacts is how many managers are remembered.
const maxContacts = 20_000

// contacts remembers when this process stored which contact.
type contacts struct {
	mu   sync.Mutex
	seen map[contactKey]contact
}

type contactKey struct {
	runner int64
	system string
}

type contact struct {
	at    time.Time
	about string
}

type contactsKey struct{}

// NoteContact stores that a manager made contact now, and what it says of itself, unless this
// process did so a moment ago.
func NoteContact(ctx context.Context, st *db.Store, m RunnerManager) error {
	known := st.Remembered(contactsKey{}, func() any { return &contacts{seen: map[contactKey]contact{}} }).(*contacts)
	now := time.Now()
	if !known.due(m, now) {
		return nil
	}
	m.ContactedAt = &now
	return RecordContact(ctx, st, m)
}

// due reports whether a contact is to be stored, and remembers it.
func (c *contacts) due(m RunnerManager, now time.Time) bool {
	about := ""
	for _, text := range []*string{m.Version, m.Revision, m.Platform, m.Architecture, m.IPAddress} {
		about += "\x00" + db.OrZero(text)
	}
	key := contactKey{m.RunnerID, m.SystemID}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last, ok := c.seen[key]; ok && last.about == about && now.Sub(last.at) < contactEvery {
		return false
	}
	if len(c.seen) >= maxContacts {
		clear(c.seen)
	}
	c.seen[key] = contact{now, about}
	return true
}

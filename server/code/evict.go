package code

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"time"

	"hew/server/db"
)

// maxCopies is how many bytes of packs the copies of a process may have before the least used ones
// are removed.
const maxCopies = 10 << 30

// evict removes copies, those first that were not used for the longest time, until the rest has at
// most limit bytes. Copies that somebody uses stay.
func (s *Storage) evict(limit int64) error {
	copies := s.allCopies()
	slices.SortFunc(copies, func(a, b *workCopy) int { return cmp.Compare(a.usedAt.Load(), b.usedAt.Load()) })
	var total int64
	for _, c := range copies {
		total += c.bytes()
	}
	var failed error
	for _, c := range copies {
		if total <= limit {
			break
		}
		size := c.bytes()
		if size == 0 || !c.used.TryLock() {
			continue
		}
		failed = errors.Join(failed, c.empty())
		c.used.Unlock()
		total -= size
	}
	return failed
}

// allCopies returns the copies of all repositories and epochs.
func (s *Storage) allCopies() []*workCopy {
	s.mu.Lock()
	defer s.mu.Unlock()
	copies := make([]*workCopy, 0, len(s.copies))
	for _, c := range s.copies {
		for ; c != nil; c = c.older {
			copies = append(copies, c)
		}
	}
	return copies
}

// retireAll removes the copies of earlier epochs that nobody uses any more.
func (s *Storage) retireAll() (err error) {
	for _, c := range s.allCopies() {
		err = errors.Join(err, c.retireOlder())
	}
	return err
}

// retireOlder removes the copies of earlier epochs that nobody uses.
func (c *workCopy) retireOlder() (err error) {
	var unused []*workCopy
	c.storage.mu.Lock()
	for at := c; at.older != nil; {
		if old := at.older; old.used.TryLock() {
			old.retired = true
			at.older = old.older
			unused = append(unused, old)
			continue
		}
		at = at.older
	}
	c.storage.mu.Unlock()
	for _, old := range unused {
		err = errors.Join(err, old.empty())
		old.used.Unlock()
	}
	return err
}

// forget drops the graphs that nobody has asked for since a time, and what is kept about copies
// that were removed: a process would remember every repository that it has ever served.
func (s *Storage) forget(before time.Time) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, h := range s.histories {
		if h.asked.Before(before) {
			delete(s.histories, id)
		}
	}
	for id, c := range s.copies {
		if c.older == nil && c.usedAt.Load() < before.UnixNano() && c.bytes() == 0 && c.used.TryLock() {
			c.retired = true
			err = errors.Join(err, c.empty())
			delete(s.copies, id)
			c.used.Unlock()
		}
	}
	return err
}

// ForgetAll drops everything that the storage of a database keeps of repositories. Tests call it
// that empty a database, where the next repositories get the ids of the last ones. Nobody may use
// the storage meanwhile.
func ForgetAll(h *db.Store) (err error) {
	s := storageOf(h)
	for _, c := range s.allCopies() {
		err = errors.Join(err, c.empty())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.copies)
	clear(s.histories)
	s.objects.InvalidateAll()
	return err
}

// bytes returns the size of the packs on disk.
func (c *workCopy) bytes() (n int64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, p := range c.packs {
		n += p.Size()
	}
	return n
}

// empty removes everything from disk. The next request fetches it again. The caller has locked
// used.
func (c *workCopy) empty() error {
	c.sincePacks, c.sinceLoose = 0, 0
	return errors.Join(c.close(), os.RemoveAll(c.dir))
}

// touch notes that the copy is used.
func (c *workCopy) touch() { c.usedAt.Store(time.Now().UnixNano()) }

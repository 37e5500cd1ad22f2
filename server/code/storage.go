package code

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// Storage is what the requests of a process share about repositories: the git program, copies on
// disk, graphs of commits and objects in memory. Nothing in it is needed twice: another process, or
// the next start, makes it again from the rows.
type Storage struct {
	git   *exec.Git // nil where git is not installed
	cache string    // the directory below which processes keep their copies

	objects *objectCache
	// maxObject limits an object that is read from a pack of a copy into memory, in bytes.
	maxObject int64
	bases     *pack.Cache

	mu        sync.Mutex
	dir       cacheDir            // of the copies of this process; made with the first
	copies    map[int64]*workCopy // of the latest epoch of each repository that was asked for
	histories map[int64]*sharedHistory

	// For tests: called by a collection and a push before the transaction that makes their change.
	beforeExchange, beforePush func()
}

// NewStorage returns a storage that keeps its copies in a directory of its own below cache. It
// makes both with the first copy, and Close removes its own.
func NewStorage(cache string, git *exec.Git) *Storage {
	return &Storage{
		git: git, cache: cache, objects: newObjectCache(objectCacheSize), bases: pack.NewCache(baseCacheSize),
		maxObject: maxObject,
		copies:    map[int64]*workCopy{}, histories: map[int64]*sharedHistory{},
	}
}

// root returns the directory of the copies. The first call makes it.
func (s *Storage) root() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir.path != "" {
		return s.dir.path, s.dir.keep()
	}
	cache, err := filepath.Abs(s.cache) // git runs in the directories below it and gets their names
	if err != nil {
		return "", err
	}
	s.dir, err = newCacheDir(cache)
	return s.dir.path, err
}

// tidyEvery is how often copies are removed that nobody needs. A repository that nobody has asked
// for in idleFor is forgotten.
const tidyEvery, idleFor = 10 * time.Minute, time.Hour

// Tidy removes the copies of processes that were killed, at once and from time to time, until the
// context ends. It removes copies while they are too large together, and forgets repositories that
// nobody asks for.
func (s *Storage) Tidy(ctx context.Context) {
	every := time.NewTicker(tidyEvery)
	defer every.Stop()
	for {
		_ = removeDeadCaches(s.cache) // a full disk shows in what needs it
		_ = s.evict(maxCopies)        // likewise
		_ = s.retireAll()
		_ = s.forget(time.Now().Add(-idleFor))
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// Close removes the copies. No request may be running.
func (s *Storage) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, c := range s.copies {
		for ; c != nil; c = c.older {
			err = errors.Join(err, c.close())
		}
	}
	return errors.Join(err, s.dir.remove())
}

// isForeign is the condition, after a column written_by, that a row was not written by the open
// transaction. What that has written may be rolled back, so that nothing of it may go into a
// storage, which all requests share.
const isForeign = ` is distinct from pg_current_xact_id_if_assigned()`

type storageKey struct{}

// Attach makes the repositories of a database use the storage. It must be called before the first
// request.
func Attach(h *db.Store, s *Storage) { h.Attach(storageKey{}, s) }

// storageOf returns the storage of a database. It panics if there is none, which is a programming
// error.
func storageOf(h *db.Store) *Storage { return h.Attached(storageKey{}).(*Storage) }

// objectKey names an object of a repository: another repository may have it and not show it, and so
// may the same one after a garbage collection.
type objectKey struct {
	repository, epoch int64
	id                object.ID
}

func (g *Git) key(id object.ID) objectKey { return objectKey{g.ID, g.GCEpoch, id} }

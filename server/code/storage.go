package code

import (
	"context"
	"errors"
	"os"
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
	dir       string              // of the copies of this process; empty before the first
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

// alive is the file in the directory of a process that tells others that it is used.
const alive, aliveFor = "alive", time.Hour

// root returns the directory of the copies. The first call makes it, and removes those of processes
// that have died.
func (s *Storage) root() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		return s.dir, os.MkdirAll(s.dir, 0o700) // who cleans up a disk may have deleted it
	}
	cache, err := filepath.Abs(s.cache) // git runs in the directories below it and gets their names
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	if err := removeDead(cache); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(cache, "repositories-")
	if err != nil {
		return "", err
	}
	s.dir = dir
	return dir, touch(filepath.Join(dir, alive))
}

// KeepAlive says that the copies are used, until the context ends. It removes copies while they are
// too large together, and forgets repositories that nobody asks for.
func (s *Storage) KeepAlive(ctx context.Context) {
	every := time.NewTicker(aliveFor / 6)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			s.mu.Lock()
			dir := s.dir
			s.mu.Unlock()
			if dir != "" {
				_ = removeDead(s.cache)              // also of those that died after this one began
				_ = touch(filepath.Join(dir, alive)) // a full disk shows in what needs it
			}
			_ = s.evict(maxCopies) // likewise
			_ = s.retireAll()
			_ = s.forget(time.Now().Add(-aliveFor))
		}
	}
}

func touch(name string) error { return os.WriteFile(name, nil, 0o600) }

// removeDead removes the copies of processes that no longer say that they use them.
func removeDead(cache string) error {
	dirs, err := filepath.Glob(filepath.Join(cache, "repositories-*"))
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		info, err := os.Stat(filepath.Join(dir, alive))
		if err == nil && time.Since(info.ModTime()) > aliveFor {
			err = os.RemoveAll(dir)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) { // another process that is about to begin
			return err
		}
	}
	return nil
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
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
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

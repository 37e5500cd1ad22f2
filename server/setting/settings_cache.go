package setting

import (
	"sync"
	"time"

	"hew/server/db"
)

// settingsFresh is how long settings are used without asking the database, in case a notification
// is lost.
const settingsFresh = 5 * time.Second

// settingsCache keeps the settings, which nearly every request needs. Each change begins a new
// epoch, so that settings that were read before a change are not kept after it.
type settingsCache struct {
	mu    sync.Mutex
	epoch int
	known Settings
	until time.Time
}

// get returns the cached settings, or else those that read returns.
func (c *settingsCache) get(read func() (Settings, error)) (Settings, error) {
	c.mu.Lock()
	known, epoch, fresh := c.known, c.epoch, time.Now().Before(c.until)
	c.mu.Unlock()
	if fresh {
		return known, nil
	}
	found, err := read()
	if err != nil {
		return Settings{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.epoch == epoch {
		c.known, c.until = found, time.Now().Add(settingsFresh)
	}
	return found, nil
}

// drop forgets the settings on a change that affects all users, as theirs do.
func (c *settingsCache) drop(userID int64) {
	if userID != 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	c.until = time.Time{}
}

type settingsKey struct{}

// cachedSettings returns the cache that the pool and its transactions share.
func cachedSettings(s *db.Store) *settingsCache {
	return s.Remembered(settingsKey{}, func() any {
		c := &settingsCache{}
		s.OnUserChange(c.drop)
		return c
	}).(*settingsCache)
}

package setting

import (
	"sync"
	"time"

	"hew/server/db"
)

// settingsFresh is how long settings are believed without asking the database, should a
// notification get lost.
const settingsFresh = 5 * time.Second

// settingsCache remembers the settings, which nearly every request asks for. The epoch keeps a read
// that began before a change from being remembered after it.
type settingsCache struct {
	mu    sync.Mutex
	epoch int
	known Settings
	until time.Time
}

// get returns the settings that are remembered, or those that read finds.
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

// heard is told of changes. The settings are among what concerns everybody.
func (c *settingsCache) heard(userID int64) {
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
		s.OnUserChange(c.heard)
		return c
	}).(*settingsCache)
}

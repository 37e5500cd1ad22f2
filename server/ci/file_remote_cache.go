package ci

import (
	"sync"
	"time"

	"hew/server/ci/document"
	"hew/server/db"
)

// remoteCache keeps files of other hosts, in the memory of this process, for definitions that say
// how long they may be used again (CI facts §1.3).
type remoteCache struct {
	mu    sync.Mutex
	files map[string]cachedFile // by address
	size  int                   // bytes of all
}

type cachedFile struct {
	document.File
	since time.Time
}

// maxRemoteCache is how many bytes of files a process keeps. With more, it begins anew.
const maxRemoteCache = 32 << 20

// entrySize is what a file takes beside its content and its address, in bytes.
const entrySize = 256

type remoteCacheKey struct{}

func remoteCacheOf(st *db.Store) *remoteCache {
	return st.Remembered(remoteCacheKey{}, func() any {
		return &remoteCache{files: map[string]cachedFile{}}
	}).(*remoteCache)
}

// find returns a file that was fetched no longer ago than a time.
func (c *remoteCache) find(address string, age time.Duration) (document.File, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.files[address]
	return kept.File, ok && time.Since(kept.since) < age
}

// keep keeps a file that was just fetched.
func (c *remoteCache) keep(address string, file document.File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(file.Content) + len(address) + entrySize
	if old, ok := c.files[address]; ok {
		c.size -= len(old.Content) + len(address) + entrySize
	}
	if c.size += size; c.size > maxRemoteCache {
		clear(c.files)
		c.size = size
	}
	c.files[address] = cachedFile{file, time.Now()}
}

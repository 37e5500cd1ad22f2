package pack

import (
	"container/list"
	"sync"

	"hew/server/git/object"
)

// Cache keeps objects that deltas were made against, of any number of packs, up to a number of
// bytes. It drops those that were not used for longest.
type Cache struct {
	mu      sync.Mutex
	limit   int64
	size    int64
	entries map[cacheKey]*list.Element
	recent  *list.List // of *cacheEntry, the last used first
}

type cacheKey struct {
	pack   *Pack
	offset int64
}

type cacheEntry struct {
	at cacheKey
	o  object.Object
}

// overhead is about what an entry takes beside its data.
const overhead = 200

// NewCache returns a cache of at most limit bytes.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, entries: map[cacheKey]*list.Element{}, recent: list.New()}
}

func (c *Cache) find(at cacheKey) (object.Object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[at]
	if !ok {
		return object.Object{}, false
	}
	c.recent.MoveToFront(e)
	return e.Value.(*cacheEntry).o, true
}

// add keeps an object, unless it would drive out too many others.
func (c *Cache) add(at cacheKey, o object.Object) {
	size := int64(len(o.Data)) + overhead
	if size > c.limit/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[at]; ok {
		return
	}
	c.entries[at] = c.recent.PushFront(&cacheEntry{at, o})
	for c.size += size; c.size > c.limit; {
		c.remove(c.recent.Back())
	}
}

func (c *Cache) remove(e *list.Element) {
	old := c.recent.Remove(e).(*cacheEntry)
	delete(c.entries, old.at)
	c.size -= int64(len(old.o.Data)) + overhead
}

// forget drops the objects of a pack.
func (c *Cache) forget(p *Pack) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.recent.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*cacheEntry).at.pack == p {
			c.remove(e)
		}
		e = next
	}
}

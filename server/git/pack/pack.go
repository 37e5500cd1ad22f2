// Package pack reads and writes git's packs. It trusts nothing that it reads: sizes are bounded
// before memory is taken, and so is the length of chains of deltas.
package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"

	"hew/server/git/object"
)

const (
	packMagic  = "PACK\x00\x00\x00\x02"
	packHeader = int64(len(packMagic) + 4)
)

// ErrTooLarge is the error, to be found by errors.Is, for an object that is larger than the limit.
var ErrTooLarge = errors.New("git object is too large")

func tooLarge(size, limit int64) error {
	return fmt.Errorf("%w: the object has %d bytes, and the limit is %d", ErrTooLarge, size, limit)
}

var errClosed = errors.New("read pack: it is closed")

// Pack is an open pack with its index. Its methods can be called by several goroutines at once.
type Pack struct {
	path    string
	content *content
	index   *index
	bases   func(object.ID) (object.Object, error)
	cache   *Cache
	users   atomic.Int64 // calls and streams, and one until Close
	closed  sync.Once
}

// Option changes how a pack is read.
type Option func(*Pack)

// WithCache has packs share a cache of delta bases. Without one, a pack has its own, of 16 MiB.
func WithCache(c *Cache) Option { return func(p *Pack) { p.cache = c } }

// WithBases has deltas against objects that are not in the pack read them by a function. Without
// one, they cannot be read.
func WithBases(bases func(object.ID) (object.Object, error)) Option {
	return func(p *Pack) { p.bases = bases }
}

// Open opens a pack and its index of version 2. The files must not be changed while they are open;
// they may be removed.
func Open(packPath, idxPath string, options ...Option) (*Pack, error) {
	index, err := openContent(idxPath)
	if err != nil {
		return nil, fmt.Errorf("open index of pack %s: %w", packPath, err)
	}
	content, err := openContent(packPath)
	if err != nil {
		_ = index.close()
		return nil, fmt.Errorf("open pack %s: %w", packPath, err)
	}
	p, err := newPack(packPath, content, index, options)
	if err != nil {
		_, _ = index.close(), content.close()
	}
	return p, err
}

func newPack(path string, content, index *content, options []Option) (*Pack, error) {
	p := &Pack{path: path, content: content}
	for _, option := range options {
		option(p)
	}
	if p.cache == nil {
		p.cache = NewCache(16 << 20)
	}
	var err error
	if p.index, err = newIndex(index); err != nil {
		return nil, fmt.Errorf("open index of pack %s: %w", path, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("open pack %s: %w", path, err)
	}
	p.users.Store(1)
	return p, nil
}

func (p *Pack) check() error {
	if p.content.size < packHeader+sumSize {
		return errors.New("the file is too short")
	}
	head, err := p.content.bytesAt(0, int(packHeader))
	if err != nil {
		return err
	}
	sum, err := p.content.bytesAt(p.content.size-sumSize, sumSize)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(head, []byte(packMagic)) {
		return errors.New("the file is not a pack of version 2")
	}
	count := binary.BigEndian.Uint32(head[len(packMagic):])
	if int64(count) != int64(p.index.count) || !bytes.Equal(sum, p.index.packSum()) {
		return errors.New("the index is for another pack")
	}
	return nil
}

// Close closes the files as soon as no call and no stream uses them.
func (p *Pack) Close() error {
	var err error
	p.closed.Do(func() { err = p.release() })
	return err
}

// acquire keeps the files open until release.
func (p *Pack) acquire() error {
	for {
		n := p.users.Load()
		if n == 0 {
			return errClosed
		}
		if p.users.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

func (p *Pack) release() error {
	if p.users.Add(-1) > 0 {
		return nil
	}
	p.cache.forget(p)
	return errors.Join(p.content.close(), p.index.content.close())
}

// Len returns the number of objects.
func (p *Pack) Len() int { return p.index.count }

// Find returns the offset of an object in the pack, and whether it is there.
func (p *Pack) Find(id object.ID) (offset int64, ok bool) {
	if p.acquire() != nil {
		return 0, false
	}
	defer p.release()
	return p.index.find(id)
}

// IDs returns the ids of all objects, in their order.
func (p *Pack) IDs() iter.Seq[object.ID] {
	return func(yield func(object.ID) bool) {
		if p.acquire() != nil {
			return
		}
		defer p.release()
		for i := range p.index.count {
			if !yield(object.ID(p.index.id(i))) {
				return
			}
		}
	}
}

// withEntry calls read with the offset of an object, while the files are open. Errors name pack and
// object, and wrap object.ErrNotFound if it is not there.
func (p *Pack) withEntry(id object.ID, read func(offset int64) error) error {
	err := p.acquire()
	if err == nil {
		defer p.release()
		err = object.ErrNotFound
		if offset, ok := p.index.find(id); ok {
			err = read(offset)
		}
	}
	if err != nil {
		return fmt.Errorf("read object %s of pack %s: %w", id, p.path, err)
	}
	return nil
}

// Read returns an object. It fails with ErrTooLarge if the object, or one that its deltas are made
// against, has more than limit bytes. It does not check that the content has the id.
func (p *Pack) Read(id object.ID, limit int64) (o object.Object, err error) {
	err = p.withEntry(id, func(offset int64) (err error) {
		o, err = p.readObject(offset, limit)
		return err
	})
	return o, err
}

// Header returns the kind and the size in bytes of an object, without reading its content.
func (p *Pack) Header(id object.ID) (kind object.Kind, size int64, err error) {
	err = p.withEntry(id, func(offset int64) (err error) {
		kind, size, err = p.readHeader(offset)
		return err
	})
	return kind, size, err
}

// maxDelta is the size up to which objects that are stored as deltas are streamed. Git makes no
// deltas of larger ones.
const maxDelta = 512 << 20

// Stream returns the content of an object, and its size in bytes. One that is stored as a delta is
// in memory as a whole. The caller must close the stream; the last read fails if the content is not
// as long as announced.
func (p *Pack) Stream(id object.ID) (stream io.ReadCloser, size int64, err error) {
	err = p.withEntry(id, func(offset int64) (err error) {
		stream, size, err = p.openStream(offset)
		return err
	})
	return stream, size, err
}

// Size returns the size of the pack in bytes, without its index.
func (p *Pack) Size() int64 { return p.content.size }

package pack

import (
	"errors"
	"fmt"
	"io"

	"hew/server/git/object"
)

// The kinds of entries that are deltas, beside those of object.Kind.
const (
	kindOffsetDelta = 6 // the base is an entry before it
	kindRefDelta    = 7 // the base is named by its id
)

// maxDepth bounds chains of deltas, as git does.
const maxDepth = 4095

// An entry is one object of a pack as it is stored.
type entry struct {
	kind byte
	size int64     // of the content, or of the delta
	body int64     // offset of the zlib stream
	base int64     // of an offset delta: offset of its base
	ref  object.ID // of a ref delta: its base
}

func (e entry) isDelta() bool { return e.kind == kindOffsetDelta || e.kind == kindRefDelta }

var errEntry = errors.New("the entry is malformed")

// readEntry reads what stands before the body of an entry.
func (p *Pack) readEntry(offset int64) (entry, error) {
	if offset < packHeader || offset >= p.content.size-sumSize {
		return entry{}, fmt.Errorf("offset %d is outside of the pack", offset)
	}
	const longest = 10 + object.IDSize
	head, err := p.content.bytesAt(offset, longest)
	if err != nil {
		return entry{}, err
	}
	e := entry{kind: head[0] >> 4 & 7, size: int64(head[0] & 0x0f)}
	rest := head[1:]
	if head[0]&0x80 != 0 {
		var high int64
		var ok bool
		if high, rest, ok = readSize(rest); !ok || high >= 1<<55 {
			return entry{}, errEntry
		}
		e.size |= high << 4
	}
	switch e.kind {
	case kindOffsetDelta:
		var back int64
		var ok bool
		if back, rest, ok = readBackOffset(rest); !ok || back == 0 || back > offset {
			return entry{}, errEntry
		}
		e.base = offset - back
	case kindRefDelta:
		if len(rest) < object.IDSize {
			return entry{}, errEntry
		}
		e.ref = object.ID(rest[:object.IDSize])
		rest = rest[object.IDSize:]
	default:
		if !object.Kind(e.kind).Valid() {
			return entry{}, fmt.Errorf("the entry has the unknown kind %d", e.kind)
		}
	}
	e.body = offset + int64(len(head)-len(rest))
	return e, nil
}

// readBackOffset reads how far before an offset delta its base is: seven bits a byte, the highest
// first, where each further byte adds one.
func readBackOffset(data []byte) (n int64, rest []byte, ok bool) {
	for i, b := range data {
		if i > 8 {
			return 0, nil, false
		}
		n = n<<7 | int64(b&0x7f)
		if b&0x80 == 0 {
			return n, data[i+1:], true
		}
		n++
	}
	return 0, nil, false
}

// bodyReader returns the zlib stream of an entry and all that follows it.
func (p *Pack) bodyReader(e entry) io.Reader { return p.content.readerFrom(e.body, sumSize) }

// inflateEntry returns the content of an entry, or its delta.
func (p *Pack) inflateEntry(e entry, limit int64) ([]byte, error) {
	if e.size > limit {
		return nil, tooLarge(e.size, limit)
	}
	return inflate(p.bodyReader(e), e.size)
}

// A chainLink is a delta on the way from an object to its base.
type chainLink struct {
	offset int64
	entry
}

// followDeltas follows deltas from an entry until an entry that is cached or not a delta. It
// returns the deltas, the last one first, and the object that the last one changes.
func (p *Pack) followDeltas(offset, limit int64) (links []chainLink, base object.Object, err error) {
	for {
		if o, ok := p.cache.find(cacheKey{p, offset}); ok {
			if int64(len(o.Data)) > limit {
				return nil, base, tooLarge(int64(len(o.Data)), limit)
			}
			return links, o, nil
		}
		e, err := p.readEntry(offset)
		if err != nil {
			return nil, base, err
		}
		if !e.isDelta() {
			data, err := p.inflateEntry(e, limit)
			base = object.Object{Kind: object.Kind(e.kind), Data: data}
			if err == nil && len(links) > 0 {
				p.cache.add(cacheKey{p, offset}, base)
			}
			return links, base, err
		}
		if links = append(links, chainLink{offset, e}); len(links) > maxDepth {
			return nil, base, errDepth
		}
		next, here := p.findBase(e)
		if !here {
			base, err = p.readForeignBase(e.ref)
			return links, base, err
		}
		offset = next
	}
}

var errDepth = fmt.Errorf("it is a chain of more than %d deltas", maxDepth)

// findBase returns the offset of the base of a delta, and whether it is in this pack.
func (p *Pack) findBase(e entry) (offset int64, ok bool) {
	if e.kind == kindOffsetDelta {
		return e.base, true
	}
	return p.index.find(e.ref)
}

// readForeignBase reads a base that is not in this pack.
func (p *Pack) readForeignBase(id object.ID) (object.Object, error) {
	if p.bases == nil {
		return object.Object{}, fmt.Errorf("it is a delta against %s: %w", id, object.ErrNotFound)
	}
	o, err := p.bases(id)
	if err != nil {
		return object.Object{}, fmt.Errorf("read the base of its delta: %w", err)
	}
	return o, nil
}

func (p *Pack) readObject(offset, limit int64) (object.Object, error) {
	links, o, err := p.followDeltas(offset, limit)
	if err != nil {
		return object.Object{}, err
	}
	for i := len(links) - 1; i >= 0; i-- {
		delta, err := p.inflateEntry(links[i].entry, limit)
		if err != nil {
			return object.Object{}, err
		}
		if o.Data, err = applyDelta(o.Data, delta, limit); err != nil {
			return object.Object{}, err
		}
		if i > 0 {
			p.cache.add(cacheKey{p, links[i].offset}, o)
		}
	}
	return o, nil
}

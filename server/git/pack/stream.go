package pack

import (
	"bytes"
	"io"

	"hew/server/git/object"
)

// readHeader returns the size that a delta announces and the kind of the object at the end of its
// chain.
func (p *Pack) readHeader(offset int64) (object.Kind, int64, error) {
	e, err := p.readEntry(offset)
	if err != nil {
		return 0, 0, err
	}
	size := e.size
	if e.isDelta() {
		start, err := inflateStart(p.bodyReader(e), 20)
		if err != nil {
			return 0, 0, err
		}
		if _, size, _, err = readDeltaSizes(start); err != nil {
			return 0, 0, err
		}
	}
	for depth := 0; e.isDelta(); depth++ {
		next, here := p.findBase(e)
		if depth == maxDepth {
			return 0, 0, errDepth
		}
		if !here {
			base, err := p.readForeignBase(e.ref)
			return base.Kind, size, err
		}
		if e, err = p.readEntry(next); err != nil {
			return 0, 0, err
		}
	}
	return object.Kind(e.kind), size, nil
}

func (p *Pack) openStream(offset int64) (io.ReadCloser, int64, error) {
	e, err := p.readEntry(offset)
	if err != nil {
		return nil, 0, err
	}
	if e.isDelta() {
		o, err := p.readObject(offset, maxDelta)
		return io.NopCloser(bytes.NewReader(o.Data)), int64(len(o.Data)), err
	}
	z, err := openZlib(p.bodyReader(e))
	if err != nil {
		return nil, 0, err
	}
	if err := p.acquire(); err != nil {
		return nil, 0, err
	}
	return &blobStream{pack: p, zlib: z, left: e.size, size: e.size}, e.size, nil
}

// blobStream is the content of an entry, which keeps its pack open.
type blobStream struct {
	pack       *Pack
	zlib       io.ReadCloser // nil when closed
	left, size int64
}

// Read reads content, and at its end checks that it is as long as announced.
func (s *blobStream) Read(data []byte) (int, error) {
	if s.zlib == nil {
		return 0, errClosed
	}
	if s.left == 0 {
		if err := expectEnd(s.zlib); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := s.zlib.Read(data[:min(int64(len(data)), s.left)])
	if s.left -= int64(n); err == io.EOF && s.left == 0 {
		err = nil
	} else if err != nil {
		err = shortStream(err, s.size-s.left, s.size)
	}
	return n, err
}

// Close lets the pack be closed.
func (s *blobStream) Close() error {
	if s.zlib == nil {
		return nil
	}
	closeZlib(s.zlib)
	s.zlib = nil
	return s.pack.release()
}

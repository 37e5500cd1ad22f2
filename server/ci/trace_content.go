package ci

import (
	"context"
	"fmt"
	"io"

	"hew/server/db"
)

// TraceContent is the trace of a job as it was when it was opened, which can seek, as
// net/http.ServeContent wants it.
type TraceContent struct {
	ctx  context.Context
	st   *db.Store
	job  Job
	size int64
	at   int64
	from *TraceReader // nil until it is read at the offset
}

// OpenTrace opens the trace of a job; the caller closes it. The context must last as long.
func OpenTrace(ctx context.Context, st *db.Store, j Job) (*TraceContent, error) {
	r, err := ReadTrace(ctx, st, j, 0)
	if err != nil {
		return nil, err
	}
	return &TraceContent{ctx: ctx, st: st, job: j, size: r.Size, from: r}, nil
}

// Read implements io.Reader.
func (t *TraceContent) Read(p []byte) (n int, err error) {
	if t.at >= t.size {
		return 0, io.EOF
	}
	if t.from == nil {
		if t.from, err = ReadTrace(t.ctx, t.st, t.job, t.at); err != nil {
			return 0, err
		}
	}
	n, err = t.from.Read(p[:min(int64(len(p)), t.size-t.at)])
	t.at += int64(n)
	return n, err
}

// Seek implements io.Seeker.
func (t *TraceContent) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += t.at
	case io.SeekEnd:
		offset += t.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek in the trace of job %d: the offset %d is negative", t.job.ID, offset)
	}
	if offset != t.at {
		if err := t.Close(); err != nil {
			return 0, err
		}
		t.at = offset
	}
	return offset, nil
}

// Close implements io.Closer.
func (t *TraceContent) Close() error {
	if t.from == nil {
		return nil
	}
	from := t.from
	t.from = nil
	return from.Close()
}

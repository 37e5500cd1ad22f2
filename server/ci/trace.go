package ci

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
)

// TraceReader reads the trace of a job, which is what its runner has written so far. While the job
// runs, the trace is in rows of job_trace_chunks; of a job that is over it is an artifact.
type TraceReader struct {
	// Size is the size of the whole trace when it was opened, in bytes. What a runner adds later is
	// not read.
	Size int64

	ctx    context.Context
	st     *db.Store
	job    int64
	offset int64
	rest   []byte
	stored *blob.Reader // nil while the trace is in rows
}

// ReadTrace opens the trace of a job at a byte; the caller closes it. A job without a trace has an
// empty one. The context must last as long as the reader.
func ReadTrace(ctx context.Context, st *db.Store, j Job, from int64) (*TraceReader, error) {
	r := &TraceReader{ctx: ctx, st: st, job: j.ID, offset: from}
	err := r.openStored()
	if err == nil || fault.CodeOf(err) != fault.CodeNotFound {
		return r, err
	}
	r.Size, err = db.Value[int64](ctx, st, `
		select coalesce((select trace_size from jobs where id = @job), 0)`, pgx.NamedArgs{"job": j.ID})
	return r, err
}

// openStored opens the artifact of a trace that is whole. There may be none yet: a not-found fault.
func (r *TraceReader) openStored() error {
	a, err := FindArtifact(r.ctx, r.st, r.job, TraceFile)
	if err != nil {
		return err
	}
	r.Size = a.Size
	r.stored, err = blob.Open(r.ctx, r.st, blob.Ref{ID: a.BlobID}, r.offset)
	return err
}

// Read implements io.Reader.
func (r *TraceReader) Read(p []byte) (int, error) {
	if r.stored != nil {
		return r.stored.Read(p)
	}
	if r.offset >= r.Size {
		return 0, io.EOF
	}
	if len(r.rest) == 0 {
		err := r.fetch()
		switch {
		case r.stored != nil && err == nil:
			return r.stored.Read(p)
		case err != nil:
			return 0, err
		}
	}
	n := copy(p, r.rest[:min(int64(len(r.rest)), r.Size-r.offset)])
	r.rest, r.offset = r.rest[n:], r.offset+int64(n)
	return n, nil
}

// fetch reads the row that has the next byte. If there is none the trace was stored meanwhile, or
// erased.
func (r *TraceReader) fetch() error {
	chunk, err := db.One[struct {
		Start   int64  `db:"start"`
		Content []byte `db:"content"`
	}](r.ctx, r.st, "Trace", `
		select start, content from job_trace_chunks where job_id = @job and start <= @at
		order by start desc limit 1`, pgx.NamedArgs{"job": r.job, "at": r.offset})
	if err == nil && r.offset-chunk.Start < int64(len(chunk.Content)) {
		r.rest = chunk.Content[r.offset-chunk.Start:]
		return nil
	}
	if err != nil && fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	if err := r.openStored(); fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	return io.EOF
}

// Close implements io.Closer.
func (r *TraceReader) Close() error {
	if r.stored != nil {
		return r.stored.Close()
	}
	return nil
}

// traceText returns up to most bytes from the end of a trace.
func traceText(ctx context.Context, st *db.Store, j Job, most int64) (text []byte, err error) {
	size, err := db.Value[int64](ctx, st, `select trace_size from jobs where id = @job`, pgx.NamedArgs{"job": j.ID})
	if err != nil {
		return nil, err
	}
	r, err := ReadTrace(ctx, st, j, max(0, size-most))
	if err != nil {
		return nil, err
	}
	text, err = io.ReadAll(io.LimitReader(r, most))
	return text, errors.Join(err, r.Close())
}

package ci

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
)

// maxTrace is how many bytes the trace of a job may have.
const maxTrace = 100 << 20

// OutOfRangeError says that a part of a trace does not follow what the server has.
type OutOfRangeError struct {
	Size int64 // bytes that the server has
}

// Error implements error.
func (e OutOfRangeError) Error() string {
	return fmt.Sprintf("The trace has %d bytes. Send what follows them, or all of it.", e.Size)
}

// AppendTrace stores what a runner has written from a byte on, and returns the job with the size of
// the trace and its state, as they are now.
// What the server has from that byte on is replaced: a runner sends parts again, or the whole
// trace. A part that leaves a gap is an OutOfRangeError. A trace that is too large ends the job.
func AppendTrace(ctx context.Context, st *db.Store, j Job, start int64, data []byte) (Job, error) {
	size := start + int64(len(data))
	if size > maxTrace {
		if err := FinishJob(ctx, st, j, Outcome{Reason: "trace_size_exceeded"}); err != nil {
			return j, err
		}
		return j, fault.Forbidden("The trace is larger than this server allows.")
	}
	args := pgx.NamedArgs{"job": j.ID, "start": start, "size": size, "data": data}
	states, err := db.Values[status.Status](ctx, st, `
		with job as (
		    update jobs set trace_size = @size, contacted_at = now()
		    where id = @job and status in ('running', 'canceling') and trace_size >= @start
		    returning id, status),
		later as (delete from job_trace_chunks c using job where c.job_id = job.id and c.start > @start),
		before as (
		    update job_trace_chunks c set content = substring(c.content for (@start - c.start)::int) from job
		    where c.job_id = job.id and c.start + octet_length(c.content) > @start
		        and c.start = (select max(o.start) from job_trace_chunks o where o.job_id = @job and o.start < @start)),
		added as (
		    insert into job_trace_chunks (job_id, start, content) select id, @start, @data from job
		    where @size::bigint > @start::bigint
		    on conflict (job_id, start) do update set content = excluded.content)
		select status from job`, args)
	if err != nil {
		return j, err
	}
	if len(states) > 0 {
		j.Status, j.TraceSize = states[0], size
		return j, nil
	}
	now, err := FindJob(ctx, st, j.ID)
	switch {
	case err != nil:
		return j, err
	case !now.Running():
		return now, errNotRunning()
	}
	return now, OutOfRangeError{now.TraceSize}
}

// NoteDebugTrace stores that the trace of a job shows the values of variables. It comes before the
// part of the trace that does.
func NoteDebugTrace(ctx context.Context, st *db.Store, j Job) error {
	if j.DebugTrace {
		return nil
	}
	return st.Exec(ctx, `update jobs set debug_trace = true where id = @job`, pgx.NamedArgs{"job": j.ID})
}

// NoteJobContact stores that the runner of a job was heard of.
func NoteJobContact(ctx context.Context, st *db.Store, j Job) error {
	return st.Exec(ctx, `update jobs set contacted_at = now() where id = @job`, pgx.NamedArgs{"job": j.ID})
}

// traceChecksum returns the checksum of a trace in the words of the protocol, and its size.
func traceChecksum(ctx context.Context, st *db.Store, j Job) (sum string, size int64, err error) {
	r, err := ReadTrace(ctx, st, j, 0)
	if err != nil {
		return "", 0, err
	}
	defer r.Close()
	crc := crc32.NewIEEE()
	size, err = io.Copy(crc, r)
	return fmt.Sprintf("crc32:%08x", crc.Sum32()), size, err
}

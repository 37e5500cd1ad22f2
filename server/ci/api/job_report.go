package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strconv"

	"hew/server/ci"
	"hew/server/fault"
	"hew/server/rest"
)

// jobReports are the routes by which runners tell of their jobs (gaps §10.4, CI facts §4.1).
type jobReports struct{}

func (a jobReports) routes() []rest.Route {
	own := ownJob()
	return []rest.Route{
		rest.Put("/jobs/{id}", own, whileRunning(a.update)).WithoutTransaction(),
		rest.Patch("/jobs/{id}/trace", own, whileRunning(a.appendTrace)).WithoutTransaction().Limit(maxPatch),
	}
}

// maxPatch is how many bytes of a trace one request may have; runners send up to 1 MiB.
const maxPatch = 4 << 20

// The intervals in which a runner sends what is new of a trace, in seconds.
const (
	watchedInterval = "3"
	usualInterval   = "60"
)

const intervalHeader = "X-GitLab-Trace-Update-Interval"

// withInterval adds how often the runner of a job is to send its trace.
func withInterval(s runnerJob, answer rest.Raw) rest.Raw {
	interval := usualInterval
	if ci.TraceWatched(s.Store, s.Job.ID) {
		interval = watchedInterval
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(intervalHeader, interval)
		answer.ServeHTTP(w, r)
	})
}

type traceOutput struct {
	Checksum string `param:"checksum"`
	ByteSize int64  `param:"bytesize"`
}

type jobUpdate struct {
	ID            int64       `param:"id"`
	Token         string      `param:"token"` // the guard has read it
	State         string      `param:"state"`
	Checksum      string      `param:"checksum"`
	Output        traceOutput `param:"output"`
	FailureReason string      `param:"failure_reason"`
	ExitCode      *int        `param:"exit_code" min:"-2147483648" max:"2147483647"`
}

// update takes a sign of life, or the end of a job. A runner whose trace is not what the server has
// sends it again.
func (jobReports) update(ctx context.Context, s runnerJob, in jobUpdate) (rest.Raw, error) {
	switch in.State {
	case "", "running", "pending":
		return withInterval(s, withStatus(s.Job, plainly(http.StatusOK))), ci.NoteJobContact(ctx, s.Store, s.Job)
	case "success", "failed":
	default:
		return nil, fault.Param("state does not have a valid value")
	}
	now, complete, err := ci.EndJob(ctx, s.Store, s.Job, ci.Report{
		Success: in.State == "success", Reason: in.FailureReason, ExitCode: in.ExitCode,
		Checksum: in.Output.Checksum, Size: in.Output.ByteSize,
	})
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if !complete {
		status = http.StatusPreconditionFailed
	}
	return withInterval(s, withStatus(now, plainly(status))), nil
}

type tracePatch struct {
	ID         int64  `param:"id"`
	DebugTrace string `param:"debug_trace"`
	rest.Body
}

var contentRange = regexp.MustCompile(`^(\d{1,18})-(\d{0,18})$`)

// appendTrace takes a part of the trace. The end of the range is that of the body.
func (jobReports) appendTrace(ctx context.Context, s runnerJob, in tracePatch) (rest.Raw, error) {
	given := in.Header.Get("Content-Range")
	if given == "" {
		return nil, fault.Param("400 Missing header Content-Range")
	}
	m := contentRange.FindStringSubmatch(given)
	if m == nil {
		return nil, fault.Param("400 Invalid header Content-Range")
	}
	start, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return nil, fault.Param("400 Invalid header Content-Range")
	}
	part, err := io.ReadAll(in.Reader)
	if err != nil {
		return nil, err
	}
	if in.DebugTrace == "true" {
		if err := ci.NoteDebugTrace(ctx, s.Store, s.Job); err != nil {
			return nil, err
		}
	}
	status := http.StatusAccepted
	now, err := ci.AppendTrace(ctx, s.Store, s.Job, start, part)
	var beyond ci.OutOfRangeError
	switch {
	case errors.As(err, &beyond):
		status = http.StatusRequestedRangeNotSatisfiable
	case err != nil:
		return nil, err
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Range", "0-"+strconv.FormatInt(now.TraceSize, 10))
		plainly(status).ServeHTTP(w, r)
	})
	return withInterval(s, withStatus(now, answer)), nil
}

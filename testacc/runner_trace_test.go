package testacc

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// trace is what a job prints, with its secrets masked. A secret has no line breaks, so lines are
// masked one by one.
type trace struct {
	masked *strings.Replacer // values of masked variables
	tokens *regexp.Regexp    // tokens by their prefix, nil if the server names none

	mu   sync.Mutex
	line []byte // the last, without its end
	text []byte
	sent int
}

func newTrace(job jobForRunner) *trace {
	var pairs, prefixes []string
	for _, v := range job.Variables {
		if v.Masked && v.Value != "" {
			pairs = append(pairs, v.Value, "[MASKED]")
		}
	}
	t := &trace{masked: strings.NewReplacer(pairs...)}
	for _, prefix := range job.Features.TokenMaskPrefixes {
		prefixes = append(prefixes, regexp.QuoteMeta(prefix))
	}
	if len(prefixes) > 0 {
		t.tokens = regexp.MustCompile(`(` + strings.Join(prefixes, "|") + `)[\w.=-]+`)
	}
	return t
}

// Write adds what a program prints.
func (t *trace) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.line = append(t.line, p...)
	if end := bytes.LastIndexByte(t.line, '\n') + 1; end > 0 {
		t.add(t.line[:end])
		t.line = append([]byte(nil), t.line[end:]...)
	}
	return len(p), nil
}

func (t *trace) add(lines []byte) {
	text := t.masked.Replace(string(lines))
	if t.tokens != nil {
		text = t.tokens.ReplaceAllString(text, "$1[MASKED]")
	}
	t.text = append(t.text, text...)
}

// end adds the last line, which nothing is appended to.
func (t *trace) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(t.line)
	t.line = nil
}

// printf adds a line of the runner's own.
func (t *trace) printf(format string, args ...any) { _, _ = fmt.Fprintf(t, format+"\n", args...) }

func (t *trace) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// mostPatch is how many bytes of a trace a runner sends at once.
const mostPatch = 1 << 20

// unsent returns what is next to be sent, and where it begins.
func (t *trace) unsent() (start int, part []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent, t.text[t.sent:min(len(t.text), t.sent+mostPatch)]
}

// rewind has the trace sent from a position on.
func (t *trace) rewind(to int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent = min(to, len(t.text))
}

// sum is what a server compares its own trace with.
func (t *trace) sum() map[string]any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return map[string]any{
		"checksum": fmt.Sprintf("crc32:%08x", crc32.ChecksumIEEE(t.text)), "bytesize": len(t.text),
	}
}

// follow sends the trace of a job bit by bit until the job is over, and then the rest.
func (j *runningJob) follow(ctx context.Context, over <-chan struct{}) {
	tick := time.NewTicker(j.interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-over:
			j.sendTrace(ctx)
			return
		case <-tick.C:
			if _, part := j.trace.unsent(); len(part) > 0 {
				j.sendPart(ctx)
				continue
			}
			a, err := j.send(ctx, "PUT", fmt.Sprint("/jobs/", j.ID), map[string]string{"JOB-TOKEN": j.Token},
				map[string]any{"token": j.Token, "state": "running"})
			if err == nil {
				j.heed(a)
			}
		}
	}
}

// sendTrace sends all that is not sent yet.
func (j *runningJob) sendTrace(ctx context.Context) {
	for {
		if _, part := j.trace.unsent(); len(part) == 0 {
			return
		}
		if !j.sendPart(ctx) {
			return
		}
	}
}

// sendPart sends the next part of the trace. It reports whether more can be sent.
func (j *runningJob) sendPart(ctx context.Context) bool {
	start, part := j.trace.unsent()
	a, err := j.send(ctx, "PATCH", fmt.Sprintf("/jobs/%d/trace?debug_trace=false", j.ID), map[string]string{
		"JOB-TOKEN": j.Token, "Content-Type": "text/plain",
		"Content-Range": fmt.Sprintf("%d-%d", start, start+len(part)-1),
	}, bytes.NewReader(part))
	if err != nil {
		return j.pause(ctx) == nil
	}
	j.heed(a)
	switch {
	case a.status == http.StatusAccepted:
		j.trace.rewind(start + len(part))
		return true
	case a.status == http.StatusRequestedRangeNotSatisfiable:
		_, end, _ := strings.Cut(a.header.Get("Range"), "-")
		has, err := strconv.Atoi(end)
		j.trace.rewind(has)
		return err == nil
	case a.status/100 == 5:
		return j.pause(ctx) == nil
	}
	return false // it is not wanted any more
}

// heed ends the script if the server says so.
func (j *runningJob) heed(a serverAnswer) {
	switch status := a.header.Get("Job-Status"); {
	case status == "canceling":
		j.cancel(errCanceling)
	case status == "canceled" || status == "failed" || a.status == http.StatusForbidden:
		j.cancel(errCanceled)
	}
}

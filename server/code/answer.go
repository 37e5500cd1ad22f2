package code

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"hew/server/fault"
	"hew/server/git/pkt"
)

// answer is what the client gets to see: messages on its terminal, if it can show them beside the
// report.
type answer struct {
	out  io.Writer
	band *pkt.SideBand // nil: the client takes the report alone
	stop func()        // ends what keepAlive began; nil before
}

func newAnswer(push pkt.Push, out io.Writer) *answer {
	a := &answer{out: out}
	if push.Capabilities.Has("side-band-64k") {
		a.band = pkt.NewSideBand(pkt.NewWriter(out))
	}
	return a
}

// keepAliveEvery is how often a client that waits for the report hears something.
const keepAliveEvery = 5 * time.Second

// keepAlive keeps the connection alive until endKeepAlive. The client must have sent everything.
func (a *answer) keepAlive() {
	if a.band != nil && a.stop == nil {
		a.stop = a.band.KeepAlive(keepAliveEvery)
	}
}

func (a *answer) endKeepAlive() {
	if a.stop != nil {
		a.stop()
	}
}

// progress returns where git writes its progress to, nil if the client does not want it.
func (a *answer) progress(push pkt.Push) io.Writer {
	if a.band == nil || push.Capabilities.Has("quiet") {
		return nil
	}
	return a.band.ProgressWriter()
}

// Answered wraps an error after the client got an answer, which need not show the cause.
type Answered struct{ Err error }

// Error implements error.
func (a Answered) Error() string { return a.Err.Error() }

// Unwrap returns the cause.
func (a Answered) Unwrap() error { return a.Err }

// isRefusal reports whether an error of a push is the client's.
func isRefusal(err error) bool {
	var refused Refused
	var pack badPack
	var moved notAtomic
	return errors.As(err, &refused) || errors.As(err, &pack) || errors.As(err, &moved) || errors.As(err, &excluded{})
}

// excluded is the error of an author who has lost access while the change was prepared.
type excluded struct{ error }

// Unwrap returns the fault, for the API.
func (e excluded) Unwrap() error { return e.error }

// checkAgain checks the author's access, which may have ended before the refs were locked.
func (g *Git) checkAgain(ctx context.Context) error {
	err := g.st.Locked(ctx)
	switch fault.CodeOf(err) {
	case fault.CodeNotFound, fault.CodeForbidden, fault.CodeUnauthorized:
		return excluded{err}
	}
	return err
}

// report tells the client what became of a push, without the cause of an internal error.
func (a *answer) report(push pkt.Push, results []string, failed error) error {
	unpack, all := "ok", ""
	var refused Refused
	var pack badPack
	var moved notAtomic
	switch {
	case failed == nil:
	case errors.As(failed, &refused):
		all = "pre-receive hook declined"
		if err := a.message("GitLab: " + refused.Text); err != nil {
			return err
		}
	case errors.As(failed, &pack):
		unpack, all = string(pack), "unpacker error"
	case errors.As(failed, &moved):
		all = "atomic push failed: " + moved.Error()
	case errors.As(failed, &excluded{}):
		all = "you are no longer allowed to push to this repository"
	default:
		unpack, all = "internal server error; push again", "failed to update ref"
	}
	report := make([]pkt.Result, len(push.Commands))
	for i, c := range push.Commands {
		report[i] = pkt.Result{Ref: c.Ref, Reason: all}
		if all == "" {
			report[i].Reason = results[i]
		}
	}
	if !push.Capabilities.Has("report-status") {
		return nil
	}
	var text bytes.Buffer
	if err := pkt.WriteReport(&text, unpack, report); err != nil {
		return err
	}
	if a.band == nil {
		_, err := a.out.Write(text.Bytes())
		return err
	}
	if _, err := a.band.Write(text.Bytes()); err != nil {
		return err
	}
	return a.band.Flush()
}

func (a *answer) message(text string) error {
	if a.band == nil {
		return nil
	}
	return a.band.Message(text)
}

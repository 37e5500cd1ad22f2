package code

import (
	"bytes"
	"errors"
	"io"
	"time"

	"hew/server/git/pkt"
)

// answer is what the client gets to see: messages on its terminal, if it can show them beside the
// report.
type answer struct {
	out  io.Writer
	band *pkt.SideBand // nil: the client takes the report alone
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

// keepAlive keeps the connection alive until stop is called.
func (a *answer) keepAlive() (stop func()) {
	if a.band == nil {
		return func() {}
	}
	return a.band.KeepAlive(keepAliveEvery)
}

// progress returns where git writes its progress to, nil if the client does not want it.
func (a *answer) progress(push pkt.Push) io.Writer {
	if a.band == nil || push.Capabilities.Has("quiet") {
		return nil
	}
	return a.band.ProgressWriter()
}

// Answered is an error of the server's own that the client has been told of, as far as it may know.
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
	return errors.As(err, &refused) || errors.As(err, &pack) || errors.As(err, &moved)
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
	default:
		unpack, all = "the server failed; the push can be repeated", "failed to update ref"
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

package remote

import (
	"context"
	"errors"
	"io"
	"slices"

	"hew/server/git/pkt"
)

// OpenForPush reads the refs of the repository at an address in order to push to it, as Open does.
func OpenForPush(ctx context.Context, h Host, address string) (*Repository, error) {
	r, err := open(ctx, h, address, receivePack)
	if err != nil {
		return nil, err
	}
	if !r.capabilities.Has("report-status") {
		r.Close()
		return nil, Error("the host does not report what becomes of a push")
	}
	return r, nil
}

// CanDelete reports whether the host lets refs be deleted by a push.
func (r *Repository) CanDelete() bool { return r.capabilities.Has("delete-refs") }

// TakesThin reports whether the host takes packs with deltas of objects that it has.
func (r *Repository) TakesThin() bool { return !r.capabilities.Has("no-thin") }

// Push moves refs of the repository. The function writes the pack of their objects; it is not
// called if there are only refs to delete. The results are those of the host, one for each ref.
// Errors of the host are of type Error, unless the context has ended.
func (r *Repository) Push(
	ctx context.Context, commands []pkt.Command, writePack func(context.Context, io.Writer) error,
) ([]pkt.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := pkt.Push{Commands: commands, Capabilities: r.wordsOfPush()}
	body, pipe := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := pkt.WritePush(pipe, p)
		if err == nil && p.NeedsPack() {
			err = writePack(ctx, pipe)
		}
		_ = pipe.CloseWithError(err)
		written <- err
	}()
	results, err := r.report(ctx, body, p)
	cancel()
	_ = body.CloseWithError(io.ErrClosedPipe)
	failed := <-written
	if failed != nil && !errors.Is(failed, io.ErrClosedPipe) && !errors.Is(failed, context.Canceled) {
		return nil, failed // ours, which the host saw as a push that breaks off
	}
	return results, err
}

func (r *Repository) wordsOfPush() pkt.Capabilities {
	words := pkt.Capabilities{"report-status", "agent=hewd"}
	for _, name := range []string{"side-band-64k", "quiet", "ofs-delta"} {
		if r.capabilities.Has(name) {
			words = append(words, name)
		}
	}
	if r.capabilities.Has("object-format") {
		words = append(words, "object-format=sha1")
	}
	return words
}

// report sends a push and returns the report of the host.
func (r *Repository) report(ctx context.Context, push io.Reader, p pkt.Push) ([]pkt.Result, error) {
	answer, err := r.line.ask(ctx, push)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	limits := pkt.Limits{Lines: 1_000_000, Bytes: 64 << 20}
	in := pkt.NewReader(answer, limits)
	if p.Capabilities.Has("side-band-64k") {
		in = pkt.NewReader(pkt.NewBandReader(in), limits)
	}
	unpack, results, err := pkt.ReadReport(in)
	switch {
	case err != nil:
		return nil, readError(err)
	case unpack != "ok":
		return nil, errorf("the host did not take the objects: %s", firstLine(unpack))
	}
	for i := range results {
		results[i].Reason = firstLine(results[i].Reason)
	}
	for _, c := range p.Commands {
		if !slices.ContainsFunc(results, func(r pkt.Result) bool { return r.Ref == c.Ref }) {
			return nil, Error("the host does not report what became of all refs")
		}
	}
	return results, nil
}

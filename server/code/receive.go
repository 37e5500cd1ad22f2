package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pkt"
)

// receiveTimeout limits what git does with the pack of one push, in each step.
const receiveTimeout = time.Hour

// pushLimits bound the commands of a push: a mirror can bring a hundred thousand refs.
var pushLimits = pkt.Limits{Lines: 200_000, Bytes: 32 << 20}

// ReceiveCapabilities are what a client may use in a push.
var ReceiveCapabilities = pkt.Capabilities{
	"report-status", "delete-refs", "side-band-64k", "quiet", "atomic", "ofs-delta", "push-options",
	"object-format=sha1",
	Agent,
}

// Agent is how the server calls itself in git's protocol.
const Agent = "agent=hewd"

// Receive serves a push by a git client: commands and pack come from in, the report goes to out.
// The pack may have limit bytes (0: any number). The store must be bound to the pool. A
// malformed request is returned as a fault, without an answer. All other errors are in the report;
// an internal error is returned as well, as Answered.
func Receive(
	ctx context.Context, st *db.Store, at Place, by Author, limit int64, in io.Reader, out io.Writer,
) error {
	reader := pkt.NewReader(in, pushLimits)
	push, err := pkt.ReadPush(reader)
	if err != nil {
		return malformed(err)
	}
	if len(push.Commands) == 0 {
		return nil // a client that asks whether it may send more
	}
	by.Options = push.Options
	r := &reception{
		st: st, at: at, by: by, limit: limit, push: push, pack: reader.Rest(), answer: newAnswer(push, out),
		apply: func(ctx context.Context, g *Git, c change) ([]string, error) { return g.push(ctx, c) },
	}
	results, err := r.run(ctx)
	if failed := r.answer.report(push, results, err); failed != nil {
		return errors.Join(err, failed)
	}
	if err == nil || isRefusal(err) {
		return nil
	}
	return Answered{err}
}

// badPack is what is wrong with the objects that a client sent.
type badPack string

// Error implements error.
func (b badPack) Error() string { return string(b) }

// reception is a push that is being received.
type reception struct {
	st     *db.Store
	at     Place
	by     Author
	limit  int64 // bytes of the pack; 0: any number
	push   pkt.Push
	pack   io.Reader
	answer *answer

	// apply makes the change in its transaction; push does, by the rules of pushes
	apply func(context.Context, *Git, change) ([]string, error)
}

// run receives the pack and moves the refs.
func (r *reception) run(ctx context.Context) ([]string, error) {
	g, err := r.openForPush(ctx)
	if err != nil {
		return nil, err
	}
	defer r.answer.endKeepAlive()
	q, err := r.quarantine(ctx, g)
	if err != nil {
		return nil, err
	}
	defer q.remove()
	r.answer.keepAlive()
	c := change{Project: r.at.Project, By: r.by, Atomic: r.push.Capabilities.Has("atomic")}
	for _, command := range r.push.Commands {
		u := Update{Ref: command.Ref, Old: command.Old, New: command.New}
		if !u.New.IsZero() {
			if u.commit, err = g.Peel(ctx, u.New); err != nil {
				return nil, missing(err, "%s of %s", u.New, u.Ref)
			}
		}
		c.Updates = append(c.Updates, u)
	}
	if c.Commits, err = g.fresh(ctx, c.Updates); err != nil {
		return nil, missing(err, "a commit")
	}
	if err := q.store(ctx, r.st); err != nil {
		return nil, err
	}
	if before := g.storage.beforePush; before != nil {
		before()
	}
	results, err := r.commit(ctx, g, q, c)
	if err == nil {
		q.adopt()
	}
	return results, err
}

// missing returns badPack if an object was not found, which the client should have sent.
func missing(err error, format string, values ...any) error {
	if errors.Is(err, object.ErrNotFound) {
		return badPack("missing object: " + fmt.Sprintf(format, values...))
	}
	return err
}

// openForPush opens the repository, which it makes if this is the first push.
func (r *reception) openForPush(ctx context.Context) (g *Git, err error) {
	err = r.st.Tx(ctx, func(tx *db.Store) error {
		g, err = r.at.hold(ctx, tx)
		return err
	})
	if err == nil {
		g.st = r.st
	}
	return g, err
}

// commit makes the change in one transaction. If garbage was collected since the objects were
// checked, it checks them again.
func (r *reception) commit(ctx context.Context, g *Git, q *quarantine, c change) (results []string, err error) {
	err = r.st.Tx(ctx, func(tx *db.Store) error {
		held, err := r.at.hold(ctx, tx)
		if err != nil {
			return err
		}
		held.extra = g.extra
		g := held
		if g.GCEpoch != q.epoch {
			if err := q.reconnect(ctx, g); err != nil {
				return err
			}
			if c.Commits, err = g.fresh(ctx, c.Updates); err != nil { // some may be new again
				return missing(err, "a commit")
			}
		}
		if err := q.link(ctx, g); err != nil {
			return err
		}
		results, err = r.apply(ctx, g, c)
		return err
	})
	return results, err
}

// firstLine returns the first line of a message of git, for a report.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: ")
}

package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// slowAnswer is the error of an answer that began and came too slowly. It is not asked for again:
// the host works, and would hold the run as long each time.
type slowAnswer string

func (s slowAnswer) Error() string { return string(s) }

// Final reports that trying again does not help.
func (slowAnswer) Final() bool { return true }

// slowest is how many bytes a second an answer has to bring in every Config.AnswerTimeout.
const slowest = 1 << 10

// body counts what is read, and ends its try when it is closed.
type body struct {
	io.ReadCloser
	tally  *tally
	silent *silence
	done   func()
	ended  func() error // why the try was ended, or nil
	whole  atomic.Int64 // bytes so far
	most   int64        // bytes
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.tally.received(n)
	if b.whole.Add(int64(n)) > b.most {
		return 0, tooLarge(b.most)
	}
	if n > 0 {
		b.silent.received()
	}
	if late, ok := errors.AsType[timeout](b.ended()); ok && err != nil && err != io.EOF {
		err = late
		if b.whole.Load() > 0 {
			err = slowAnswer(late)
		}
	}
	return n, err
}

// watch ends a try whose answer brings less than slowest.
func (b *body) watch(ctx context.Context, every time.Duration, abort context.CancelCauseFunc) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for before := int64(0); ; before = b.whole.Load() {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if got := b.whole.Load() - before; float64(got) < slowest*every.Seconds() {
				abort(timeout(fmt.Sprintf("the response brought %d bytes in %s and did not end", got, every)))
				return
			}
		}
	}
}

func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}

package exec

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
)

// interruptible returns a reader whose reads end with the context, so that a client that sends
// nothing cannot hold a process for ever. Files are returned as they are: the process reads them
// itself.
func interruptible(ctx context.Context, from io.Reader) io.Reader {
	if _, ok := from.(*os.File); ok || from == nil {
		return from
	}
	return &inputReader{ctx: ctx, from: from, buf: make([]byte, 32<<10)}
}

type inputReader struct {
	ctx  context.Context
	from io.Reader
	buf  []byte // of the read that may be left when the context ends
}

type readResult struct {
	n   int
	err error
}

func (i *inputReader) Read(p []byte) (int, error) {
	done := make(chan readResult, 1)
	buf := i.buf[:min(len(p), len(i.buf))]
	go func() {
		n, err := i.from.Read(buf)
		done <- readResult{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, buf[:r.n]), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// boundedWriter collects what is written to it, up to a limit.
type boundedWriter struct {
	data     []byte
	limit    int
	over     bool
	exceeded func() // called when there is too much
}

func (b *boundedWriter) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.limit {
		b.over = true
		b.exceeded()
		return 0, io.ErrShortWrite
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

// tailWriter keeps the end of what is written to it.
type tailWriter struct {
	also io.Writer
	data []byte
	cut  bool
}

func (t *tailWriter) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if extra := len(t.data) - maxMessage; extra > 0 {
		t.data = slices.Delete(t.data, 0, extra)
		t.cut = true
	}
	if t.also != nil {
		_, _ = t.also.Write(p) // a client that does not listen does not stop git
	}
	return len(p), nil
}

func (t *tailWriter) String() string {
	text := strings.ToValidUTF8(strings.TrimRight(string(t.data), "\r\n"), "\uFFFD")
	if t.cut {
		return "…" + text
	}
	return text
}

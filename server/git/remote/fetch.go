package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"hew/server/git/object"
	"hew/server/git/pkt"
)

// answerLimits do not bound an answer: its reader does.
var answerLimits = pkt.Limits{Lines: math.MaxInt, Bytes: math.MaxInt64}

// Fetch returns a pack of all that some objects reach and others, which the caller has, do not
// reach. If there are others, deltas in the pack can need them. The caller closes the pack. Errors,
// also of reads, are of type Error, unless the context has ended.
func (r *Repository) Fetch(ctx context.Context, wants, haves []object.ID) (io.ReadCloser, error) {
	var request bytes.Buffer
	w, words := pkt.NewWriter(&request), " side-band-64k ofs-delta agent=hewd"
	if len(haves) > 0 {
		words += " thin-pack"
	}
	for _, id := range wants {
		_ = w.Linef("want %s%s", id, words) // a buffer takes everything
		words = ""
	}
	_ = w.Flush()
	for _, id := range haves {
		_ = w.Linef("have %s", id)
	}
	_ = w.Line("done")
	answer, err := r.line.ask(ctx, &request)
	if err != nil {
		return nil, err
	}
	in := pkt.NewReader(answer, answerLimits)
	_, line, err := in.Line()
	text, refused := strings.CutPrefix(line, "ERR ")
	switch {
	case err != nil:
	case refused:
		err = pkt.RemoteError(text)
	case line != "NAK" && !(len(haves) > 0 && strings.HasPrefix(line, "ACK ")): // an object that both have
		err = errors.New("a NAK is missing before the pack")
	}
	if err != nil {
		_ = answer.Close()
		return nil, readError(err)
	}
	return packBody{pkt.NewBandReader(in), answer}, nil
}

type packBody struct {
	io.Reader
	io.Closer
}

// Read implements io.Reader.
func (p packBody) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = readError(err)
	}
	return n, err
}

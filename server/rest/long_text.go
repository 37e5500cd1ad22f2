package rest

import (
	"bytes"
	"io"
	"net/http"

	"hew/server/fault"
)

// textLimit is how much text a body may have.
type textLimit struct {
	bytes  int64
	advice string // how to do without more; ends the refusal
}

const smallerBody = "send a smaller one"

func (l textLimit) exceeded() error { return fault.BodyTooLarge(l.bytes, l.advice) }

func bodyTooLarge(limit int64) *fault.Error { return fault.BodyTooLarge(limit, smallerBody) }

// LongText lets the text of a body have more than the 4 MiB of other routes. A longer body is read
// when the guard has admitted the caller, into a file; the server holds the text of one at a time
// in memory, and other requests wait for it. Credentials in it are not found. The advice ends the
// refusal of a body that is too long even so.
func (r Route) LongText(bytes int64, advice string) Route {
	r.maxBody, r.text = bytes, textLimit{bytes, advice}
	return r
}

// wholeBody returns the parsed body for the handler, also a long one.
func (x *exchange) wholeBody(r *http.Request) (tree, error) {
	if x.text.bytes <= maxText {
		return x.parsedBody(r)
	}
	if mediaType(r) != typeMultipart { // which nobody else reads
		if t, err := x.parsedBody(r); !x.isLong {
			return t, err
		}
	} else if r.ContentLength >= 0 && r.ContentLength <= maxText {
		return x.parsedBody(r)
	}
	x.long.Do(func() { x.long.tree, x.long.err = x.readLong(r) })
	return x.long.tree, x.long.err
}

// readLong parses a long body, when it is this request's turn to have one in memory.
func (x *exchange) readLong(r *http.Request) (tree, error) {
	if r.ContentLength > x.text.bytes {
		return nil, x.text.exceeded()
	}
	most := x.text.bytes
	whole, err := spool(io.LimitReader(io.MultiReader(bytes.NewReader(x.raw), r.Body), most+1))
	if err != nil {
		return nil, err
	}
	x.raw, x.files = nil, append(x.files, whole)
	if whole.Size > most {
		return nil, x.text.exceeded()
	}
	select {
	case x.turn <- struct{}{}:
		x.hasTurn = true
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	kind := mediaType(r)
	if kind == typeMultipart {
		return x.parseMultipart(r, whole.Open())
	}
	raw := make([]byte, whole.Size)
	if _, err := io.ReadFull(whole.Open(), raw); err != nil {
		return nil, err
	}
	if kind == typeJSON {
		return parseJSON(raw)
	}
	return parseForm(string(raw))
}

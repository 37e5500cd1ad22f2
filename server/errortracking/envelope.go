package errortracking

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"

	"hew/server/fault"
)

// SendLess is what to do about a body that is too large.
const SendLess = "send fewer or shorter events"

// Limits of what is read.
const (
	MaxEvent      = 1 << 20  // bytes of an event
	maxHeader     = 64 << 10 // bytes of the header of an envelope or of an item
	maxItems      = 200      // of an envelope
	maxEnvelopeOf = 10       // events in an envelope, where SDKs send one
)

// Envelope is a body with several items, each with a header: events, and other items. It
// is read from a stream, and only events are kept.
type Envelope struct {
	EventID string
	Key     string // of the address in the header; "" if there is none

	r *bufio.Reader
}

// OpenEnvelope reads the header of an envelope. Errors of the reader are returned as they are.
func OpenEnvelope(r io.Reader) (*Envelope, error) {
	e := &Envelope{r: bufio.NewReader(r)}
	line, err := e.line()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var header object
	if header, err = readObject(line); err != nil {
		return nil, fault.BadRequest("the header of the envelope must be a JSON object in its first line").Because(err)
	}
	e.EventID = eventID(header)
	if dsn, err := url.Parse(header.text("dsn", maxText)); err == nil && dsn.User != nil {
		e.Key = dsn.User.Username()
	}
	return e, nil
}

// Events reads the items that follow and returns those that are events, as JSON.
func (e *Envelope) Events() (events [][]byte, err error) {
	for n := 0; ; {
		line, err := e.line()
		if len(bytes.TrimSpace(line)) == 0 {
			if errors.Is(err, io.EOF) {
				return events, nil
			}
			if err != nil {
				return nil, err
			}
			continue // an empty line may end an item
		}
		if n++; n > maxItems {
			return nil, fault.BadRequest(fmt.Sprintf("an envelope may have at most %d items", maxItems))
		}
		header, parsed := readObject(line)
		if parsed != nil {
			return nil, fault.BadRequest("the header of an item must be a JSON object in one line").Because(parsed)
		}
		text, err := e.item(header)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		if len(events) == maxEnvelopeOf {
			return nil, fault.BadRequest(fmt.Sprintf("an envelope may have at most %d events", maxEnvelopeOf))
		}
		events = append(events, text)
	}
}

// item reads the content of an item: to the end of the line if the header does not say how long it
// is. It returns nil for one that is not an event.
func (e *Envelope) item(header object) ([]byte, error) {
	isEvent := header.text("type", maxText) == "event"
	length, given := header["length"]
	if !given || length == nil {
		if !isEvent {
			return nil, e.skipLine()
		}
		text, err := readLine(e.r, MaxEvent)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return bytes.TrimSuffix(text, []byte("\n")), err
	}
	number, _ := length.(json.Number)
	size, err := number.Int64()
	switch {
	case err != nil || size < 0:
		return nil, fault.BadRequest("the length of an item must be a number of bytes")
	case !isEvent:
		_, err = io.CopyN(io.Discard, e.r, size)
		return nil, endsEarly(err)
	case size > MaxEvent:
		return nil, fault.BodyTooLarge(MaxEvent, SendLess)
	}
	text := make([]byte, size)
	_, err = io.ReadFull(e.r, text)
	return text, endsEarly(err)
}

// endsEarly returns the fault of an item that is longer than what is left.
func endsEarly(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.BadRequest("the envelope ends within an item").Because(err)
	}
	return err
}

// line reads a header.
func (e *Envelope) line() ([]byte, error) { return readLine(e.r, maxHeader) }

// skipLine reads to the end of the line.
func (e *Envelope) skipLine() error {
	for {
		_, err := e.r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
	}
}

// readLine reads a line of at most so many bytes, with its end. With io.EOF it returns what came
// before.
func readLine(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, fault.BodyTooLarge(int64(most), SendLess)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// ReadStore reads the body of the older protocol, which is an event alone.
func ReadStore(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxEvent+1))
	if err == nil && len(text) > MaxEvent {
		err = fault.BodyTooLarge(MaxEvent, SendLess)
	}
	return text, err
}

// Package pkt reads and writes pkt-lines, the framing of git's wire protocol, and what is said in
// them: the commands of a push, the requests of protocol version 2, advertisements of refs, reports
// and side-bands. It bounds what it reads.
package pkt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxData is the largest number of bytes in one line, without its four digits of length.
const MaxData = 65516

// Kind is what a packet is.
type Kind uint8

// The kinds of packets. All but Data consist of their four digits.
const (
	Data Kind = iota
	Flush
	Delim
	ResponseEnd
)

// ErrTooLong is the error, to be found by errors.Is, for more lines or bytes than a Reader admits.
var ErrTooLong = errors.New("the request is too long")

// Limits bound what a Reader reads. Zero means the default.
type Limits struct {
	Lines int   // packets (default 200,000)
	Bytes int64 // of data in all packets (default 32 MiB)
}

// Reader reads packets. It reads no further than the last packet, except for what it buffers: see
// Rest.
type Reader struct {
	in     *bufio.Reader
	limits Limits
	data   [MaxData]byte
}

// NewReader returns a Reader within limits.
func NewReader(r io.Reader, limits Limits) *Reader {
	if limits.Lines == 0 {
		limits.Lines = 200_000
	}
	if limits.Bytes == 0 {
		limits.Bytes = 32 << 20
	}
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), limits: limits}
}

// Rest returns the input after the packets that were read, such as the pack of a push.
func (r *Reader) Rest() io.Reader { return r.in }

// Next returns the next packet. Its data is valid until the next call. It returns io.EOF where the
// input ends before a packet, and io.ErrUnexpectedEOF where it ends within one.
func (r *Reader) Next() (Kind, []byte, error) {
	var digits [4]byte
	if _, err := io.ReadFull(r.in, digits[:]); err != nil {
		return 0, nil, err
	}
	size, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return 0, nil, fmt.Errorf("%q is not the length of a pkt-line: want four hexadecimal digits", digits[:])
	}
	if r.limits.Lines--; r.limits.Lines < 0 {
		return 0, nil, ErrTooLong
	}
	switch size {
	case 0:
		return Flush, nil, nil
	case 1:
		return Delim, nil, nil
	case 2:
		return ResponseEnd, nil, nil
	}
	if size < 4 || size > MaxData+4 {
		return 0, nil, fmt.Errorf("a pkt-line has length %d: want 4 to %d", size, MaxData+4)
	}
	data := r.data[:size-4]
	if r.limits.Bytes -= int64(len(data)); r.limits.Bytes < 0 {
		return 0, nil, ErrTooLong
	}
	if _, err := io.ReadFull(r.in, data); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return Data, data, nil
}

// Line returns the next packet as text, without the line feed at its end.
func (r *Reader) Line() (Kind, string, error) {
	kind, data, err := r.Next()
	return kind, strings.TrimSuffix(string(data), "\n"), err
}

// readSection reads lines up to a flush, or up to a delimiter if one may end it, and returns which
// of the two came.
func (r *Reader) readSection(line func(text string) error) (Kind, error) {
	for {
		kind, text, err := r.Line()
		switch {
		case err == io.EOF:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		case kind == Flush || kind == Delim:
			return kind, nil
		case kind != Data:
			return 0, errors.New("the request has a packet that only answers have")
		}
		if err := line(text); err != nil {
			return 0, err
		}
	}
}

// Writer writes packets. After an error it writes nothing more and returns that error again.
type Writer struct {
	out io.Writer
	buf []byte
	err error
}

// NewWriter returns a Writer to w. It writes each packet at once.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// Data writes one packet of at most MaxData bytes.
func (w *Writer) Data(data []byte) error { return w.writePacket("", data) }

// Line writes one packet that ends with a line feed.
func (w *Writer) Line(text string) error { return w.writePacket("", append([]byte(text), '\n')) }

// Linef formats a packet that ends with a line feed.
func (w *Writer) Linef(format string, values ...any) error {
	return w.Line(fmt.Sprintf(format, values...))
}

// Flush ends a message.
func (w *Writer) Flush() error { return w.writeRaw([]byte("0000")) }

// Delim ends a section of a message.
func (w *Writer) Delim() error { return w.writeRaw([]byte("0001")) }

// ResponseEnd ends an answer over a connection that can hold no more of them.
func (w *Writer) ResponseEnd() error { return w.writeRaw([]byte("0002")) }

func (w *Writer) writePacket(band string, data []byte) error {
	size := len(band) + len(data)
	if w.err == nil && size > MaxData {
		w.err = fmt.Errorf("a pkt-line of %d bytes: the limit is %d", size, MaxData)
	}
	if w.err != nil {
		return w.err
	}
	w.buf = fmt.Appendf(w.buf[:0], "%04x%s", size+4, band)
	w.buf = append(w.buf, data...)
	return w.writeRaw(w.buf)
}

func (w *Writer) writeRaw(packet []byte) error {
	if w.err == nil {
		_, w.err = w.out.Write(packet)
	}
	return w.err
}

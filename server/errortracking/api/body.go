package api

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"

	"hew/server/errortracking"
	"hew/server/fault"
)

// Limits of the body of a request, in bytes: as it is sent, and what it inflates to.
const (
	maxSent     = 8 << 20
	maxInflated = 32 << 20
)

// inflate returns the body of a request as it was before the SDK compressed it. Reading it fails
// beyond the limits.
func inflate(r *http.Request) (io.Reader, error) {
	sent := http.MaxBytesReader(nil, r.Body, maxSent)
	var plain io.Reader = sent
	var err error
	switch encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		plain, err = gzip.NewReader(sent)
	case "deflate":
		plain, err = inflateDeflate(sent)
	default:
		return nil, fault.UnsupportedEncoding(encoding)
	}
	switch {
	case errors.Is(err, io.EOF): // nothing, which no compressor makes
		return nil, bodyFault(io.ErrUnexpectedEOF)
	case err != nil:
		return nil, bodyFault(err)
	}
	return inflated{http.MaxBytesReader(nil, io.NopCloser(plain), maxInflated)}, nil
}

// inflateDeflate reads a body that is deflated with a header, as the standard has it, or without
// one, as some clients do.
func inflateDeflate(sent io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(sent)
	head, err := buffered.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(buffered)
	}
	return flate.NewReader(buffered), nil
}

// inflated is a body whose errors are faults, but for io.EOF.
type inflated struct{ io.Reader }

// Read implements io.Reader.
func (b inflated) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	return n, bodyFault(err)
}

// bodyFault returns the fault of a body that cannot be read.
func bodyFault(err error) error {
	var tooLong *http.MaxBytesError
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.As(err, &tooLong):
		return fault.BodyTooLarge(tooLong.Limit, errortracking.SendLess).Because(err)
	}
	return fault.BadRequest("the body is incomplete, or not compressed as Content-Encoding says").Because(err)
}

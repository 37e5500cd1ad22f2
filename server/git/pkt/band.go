package pkt

import (
	"errors"
	"io"
)

// RemoteError is what another host said before it ended an answer. The text is its own.
type RemoteError string

// Error implements error.
func (r RemoteError) Error() string { return "the remote host said: " + string(r) }

// bandReader reads the data of an answer in side-bands.
type bandReader struct {
	from *Reader
	rest []byte // of the packet that was read last
}

// NewBandReader returns a reader of what came as data, up to the flush that ends the answer.
// Progress is dropped. It returns a RemoteError if the other host gives up, and
// io.ErrUnexpectedEOF if the answer ends without a flush.
func NewBandReader(r *Reader) io.Reader { return &bandReader{from: r} }

// Read implements io.Reader.
func (b *bandReader) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		kind, data, err := b.from.Next()
		switch {
		case err == io.EOF:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		case kind == Flush:
			return 0, io.EOF
		case kind != Data || len(data) == 0:
			return 0, errors.New("a packet of the answer has no band")
		}
		switch band := string(data[:1]); band {
		case bandData:
			b.rest = data[1:]
		case bandProgress:
		case bandError:
			return 0, RemoteError(data[1:])
		default:
			return 0, errors.New("a packet of the answer has an unknown band")
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

package pack

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Making a zlib writer costs far more than compressing a small object: both are reused.
var (
	writers = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}
	readers sync.Pool // of io.ReadCloser that are zlib.Resetter
)

// Deflate appends the content to dst as a zlib stream, which is the body of an entry in a pack.
func Deflate(dst, content []byte) []byte {
	w := writers.Get().(*zlib.Writer)
	defer writers.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	_, _ = w.Write(content) // writing to memory does not fail
	_ = w.Close()
	return out.Bytes()
}

// Inflate returns the content of a zlib stream. It fails if that has not exactly size bytes.
// It allocates at most 1 MiB or three times what the stream holds, whichever is more.
func Inflate(body []byte, size int64) ([]byte, error) {
	return inflate(bytes.NewReader(body), size)
}

// InflateAll returns the content of a zlib stream. It fails with ErrTooLarge if that has more than
// limit bytes.
func InflateAll(body []byte, limit int64) ([]byte, error) {
	z, err := openZlib(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer closeZlib(z)
	data, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read zlib stream: %w", err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: the object has more than %d bytes, the limit", ErrTooLarge, limit)
	}
	return data, nil
}

// inflateStep is how much memory a stream gets without having filled what it had.
const inflateStep = 1 << 20

var errLonger = errors.New("the zlib stream holds more bytes than announced")

func inflate(body io.Reader, size int64) ([]byte, error) {
	z, err := openZlib(body)
	if err != nil {
		return nil, err
	}
	defer closeZlib(z)
	data := make([]byte, 0, min(size, inflateStep))
	for int64(len(data)) < size {
		if len(data) == cap(data) {
			grown := make([]byte, len(data), min(size, 2*int64(cap(data))))
			copy(grown, data)
			data = grown
		}
		n, err := io.ReadFull(z, data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			return nil, shortStream(err, int64(len(data)), size)
		}
	}
	if err := expectEnd(z); err != nil {
		return nil, err
	}
	return data, nil
}

func shortStream(err error, got, want int64) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("the zlib stream ends after %d of %d bytes", got, want)
	}
	return fmt.Errorf("read zlib stream: %w", err)
}

// expectEnd reads the end of a stream, which checks its sum.
func expectEnd(z io.Reader) error {
	var one [1]byte
	switch n, err := io.ReadFull(z, one[:]); {
	case n > 0:
		return errLonger
	case err != io.EOF:
		return fmt.Errorf("read zlib stream: %w", err)
	}
	return nil
}

// inflateStart returns the first n bytes of a stream, or fewer if it has fewer.
func inflateStart(body io.Reader, n int) ([]byte, error) {
	z, err := openZlib(body)
	if err != nil {
		return nil, err
	}
	defer closeZlib(z)
	data := make([]byte, n)
	n, err = io.ReadFull(z, data)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return data[:n], err
}

func openZlib(body io.Reader) (io.ReadCloser, error) {
	z, ok := readers.Get().(io.ReadCloser)
	var err error
	if ok {
		err = z.(zlib.Resetter).Reset(body, nil)
	} else {
		z, err = zlib.NewReader(body)
	}
	if err != nil {
		if ok {
			readers.Put(z)
		}
		return nil, fmt.Errorf("read zlib stream: %w", err)
	}
	return z, nil
}

func closeZlib(z io.ReadCloser) {
	_ = z.Close()
	readers.Put(z)
}

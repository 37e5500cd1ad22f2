package pack

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
)

// A content is the bytes of a file: mapped where the system can, else read when they are asked for.
type content struct {
	size   int64
	mapped []byte   // nil if not mapped
	file   *os.File // nil if mapped
}

// openContent opens a file that nobody changes from now on; it may be removed.
func openContent(path string) (*content, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	c := &content{size: info.Size(), file: file}
	if c.size == 0 || int64(int(c.size)) != c.size {
		return c, nil
	}
	if mapped, err := mapFile(file, int(c.size)); err == nil {
		_ = file.Close()
		c.mapped, c.file = mapped, nil
	}
	return c, nil
}

// close gives the memory back: nothing of at and from may be used afterwards.
func (c *content) close() error {
	if c.file != nil {
		return c.file.Close()
	}
	return unmapFile(c.mapped)
}

// bytesAt returns n bytes, or as many as there are before the end of the file. Callers must not
// change them.
func (c *content) bytesAt(offset int64, n int) ([]byte, error) {
	if offset < 0 || offset > c.size {
		return nil, fmt.Errorf("offset %d is beyond the end of the file", offset)
	}
	n = int(min(int64(n), c.size-offset))
	if c.file == nil {
		return c.mapped[offset:][:n:n], nil
	}
	data := make([]byte, n)
	_, err := c.file.ReadAt(data, offset)
	return data, err
}

// readerFrom returns the bytes from an offset up to n bytes before the end of the file.
func (c *content) readerFrom(offset, n int64) io.Reader {
	end := max(c.size-n, offset)
	if c.file == nil {
		return bytes.NewReader(c.mapped[offset:end])
	}
	return bufio.NewReader(io.NewSectionReader(c.file, offset, end-offset))
}

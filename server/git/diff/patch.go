package diff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// patches reads the patches of files, which come in the order of the files.
type patches struct {
	in     *bufio.Reader
	limits Limits
	files  []File
	at     int  // the file whose patch is read
	halves int  // of a file that changed its type: one patch removes it, another adds it
	hunks  bool // of the file have begun
	left   [2]int
	text   bytes.Buffer
	total  int

	// each takes the files one by one, with the lines that their patches show; nil: files has them
	each  func(f File, lines int) error
	lines int // of the patch
}

func (p *patches) read() error {
	for {
		line, err := p.line()
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return p.finish()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := p.add(line); err != nil {
			return err
		}
	}
}

// line returns the next line with its line feed. Of a very long one the rest is dropped, since its
// patch is too large.
func (p *patches) line() ([]byte, error) {
	line, err := p.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = p.in.ReadSlice('\n')
		if len(long) <= p.limits.PatchBytes {
			long = append(long, line...)
		}
	}
	return long, err
}

func (p *patches) add(line []byte) error {
	inHunk := p.left[0] > 0 || p.left[1] > 0
	switch {
	case !inHunk && bytes.HasPrefix(line, []byte("diff --git ")):
		return p.next()
	case p.at < 0:
		return fmt.Errorf("%.100q comes before the first patch", line)
	case !inHunk && bytes.HasPrefix(line, []byte("@@ ")):
		if err := p.begin(string(line)); err != nil {
			return err
		}
	case !inHunk && !p.hunks:
		if bytes.HasPrefix(line, []byte("Binary files ")) || bytes.HasPrefix(line, []byte("GIT binary patch")) {
			p.files[p.at].Binary = true
			if p.each != nil {
				p.keep(line)
			}
		}
		return nil
	case inHunk:
		p.count(line[0])
	}
	p.keep(line)
	return nil
}

// next begins the patch of the next file.
func (p *patches) next() error {
	if p.halves > 0 {
		p.halves--
		p.hunks = false
		return nil
	}
	if err := p.finish(); err != nil {
		return err
	}
	if p.at++; p.at >= len(p.files) {
		return fmt.Errorf("there are more patches than the %d changed files", len(p.files))
	}
	p.hunks = false
	if p.files[p.at].Status == 'T' {
		p.halves = 1
	}
	return nil
}

// begin reads the head of a hunk, @@ -1,2 +3,4 @@, which says how many lines it has.
func (p *patches) begin(line string) error {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return fmt.Errorf("%.100q is not the head of a hunk", line)
	}
	for i, field := range fields[1:3] {
		_, count, ok := strings.Cut(field, ",")
		p.left[i] = 1
		if ok {
			n, err := strconv.Atoi(count)
			if err != nil {
				return fmt.Errorf("%.100q is not the head of a hunk", line)
			}
			p.left[i] = n
		}
	}
	p.hunks = true
	return nil
}

func (p *patches) count(sign byte) {
	f := &p.files[p.at]
	p.lines++
	switch sign {
	case '-':
		p.left[0]--
		f.Deleted++
	case '+':
		p.left[1]--
		f.Added++
	case ' ':
		p.left[0]--
		p.left[1]--
	}
}

// keep adds a line to the patch, unless that is over a limit.
func (p *patches) keep(line []byte) {
	f := &p.files[p.at]
	if f.TooLarge || p.at >= p.limits.Files || p.text.Len()+len(line) > p.limits.PatchBytes ||
		p.total+len(line) > p.limits.TotalBytes {
		f.TooLarge = true
		p.text.Reset()
		return
	}
	p.total += len(line)
	p.text.Write(line)
}

// finish ends the patch of a file.
func (p *patches) finish() (err error) {
	if p.at >= 0 && p.at < len(p.files) {
		f := p.files[p.at]
		f.Patch = p.text.String()
		if p.each != nil {
			err = p.each(f, p.lines)
		} else {
			p.files[p.at] = f
		}
	}
	p.text.Reset()
	p.left, p.lines = [2]int{}, 0
	return err
}

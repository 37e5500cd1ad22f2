package junit

import (
	"bufio"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// The limits of reports.
const (
	MaxFile  = 30 << 20 // bytes of a report, unpacked
	MaxCases = 100_000  // of a suite
	maxTag   = 2 << 20  // bytes between < and >
	maxDepth = 100      // of elements in each other
)

// Add adds the files of a report to the suite: one file as it is, or one for each member of a gzip
// stream. What is wrong with them goes to s.Error; the error is that of reading r.
func (s *Suite) Add(r io.Reader, packed bool, jobID int64) error {
	left := int64(MaxFile)
	return s.AddWithin(&left, r, packed, jobID)
}

// AddWithin does what Add does, for one of several reports that have a limit together: left is how
// many bytes they may still have, unpacked, and counts down.
func (s *Suite) AddWithin(left *int64, r io.Reader, packed bool, jobID int64) error {
	from := &source{r: r}
	limit := &limited{left: MaxFile, beyond: errTooLarge}
	if *left < MaxFile {
		limit.left, limit.beyond = *left, errTooMuch
	}
	before := limit.left
	if err := s.addFiles(from, limit, packed, jobID); err != nil && s.Error == "" {
		s.Error = describe(err)
	}
	*left -= before - limit.left
	return from.err
}

// describe returns the text of an error in the words of the API.
func describe(err error) string {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("JUnit XML parsing failed: %d: %s", syntax.Line, syntax.Msg)
	}
	return "JUnit data parsing failed: " + err.Error()
}

// What is wrong with reports that are too large: with one of them, or with all together.
var (
	errTooLarge = errors.New("the report is larger than 30 MB")
	errTooMuch  = errors.New("the reports are too large together")
)

func (s *Suite) addFiles(from *source, limit *limited, packed bool, jobID int64) error {
	if !packed {
		limit.r = from
		return s.parse(limit, jobID)
	}
	stream := bufio.NewReader(from)
	z, err := gzip.NewReader(stream)
	if errors.Is(err, io.EOF) {
		return nil // an empty file
	}
	for ; err == nil; err = z.Reset(stream) {
		z.Multistream(false)
		limit.r = z
		if err := s.parse(limit, jobID); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, limit); err != nil { // to the next member
			return err
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// source keeps the error of reading a report apart from those of its content.
type source struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// limited fails beyond a number of bytes, and at a tag that is too long.
type limited struct {
	r      io.Reader
	left   int64
	beyond error // the error of more than left bytes
	tag    int   // bytes since the last <, 0 outside of tags
	open   bool  // the last byte was <
}

// errLongTag says that a tag is longer than maxTag.
var errLongTag = errors.New("a tag is longer than 2 MB")

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		var one [1]byte
		if n, err := l.r.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, l.beyond
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	for _, b := range p[:n] {
		switch {
		case b == '<':
			l.open, l.tag = true, 1
		case b == '>', l.open && b == '!': // of the end, of a comment or of text
			l.open, l.tag = false, 0
		default:
			l.open = false
			if l.tag > 0 {
				l.tag++
			}
		}
		if l.tag > maxTag {
			return 0, errLongTag
		}
	}
	return n, err
}

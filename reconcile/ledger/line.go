package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"hew/reconcile/addr"
)

// line is a line of the text form, which is one JSON object a line.
//
// The first line is a header with the number of entries that follow it, sorted by address and
// without serials: the compact part, which is written at once. Then comes the journal. Each of its
// lines has the next serial, and sets or removes an entry, or replaces the header. So counts and
// serials reveal a line that was lost, doubled or merged in from another branch. A crash can only
// cut off the last line.
type line struct {
	Header
	Entries int `json:"entries,omitempty"` // of a header: the number of entries in the compact part

	Addr    addr.Instance `json:"addr,omitzero"`
	Entry   *Entry        `json:"entry,omitempty"`
	Removed bool          `json:"removed,omitempty"`
}

// appendTo appends the text of the line to to.
func (n line) appendTo(to []byte) ([]byte, error) {
	buf := bytes.NewBuffer(to)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(n)
	return buf.Bytes(), err
}

// encode returns the compact form. Equal ledgers have the same bytes.
func (l *Ledger) encode() ([]byte, error) {
	text, err := line{Header: l.Header, Entries: len(l.Entries)}.appendTo(nil)
	for _, a := range l.Sorted() {
		if err != nil {
			break
		}
		e := l.Entries[a]
		text, err = line{Addr: a, Entry: &e}.appendTo(text)
	}
	return text, err
}

// parse reads the text form. whole is the size of the whole lines; the rest is what a crash left of
// the last line. The ledger is nil if the text has no header yet.
func parse(where string, text []byte) (l *Ledger, whole int, err error) {
	lines := decodeLines(text)
	r := lineReader{lineCount: len(lines)}
	for i, n := range lines {
		if isTorn(n) && (i > 0 || isHeaderPrefix(n.text)) {
			break
		}
		if n.err == nil {
			n.err = r.addLine(n.line)
		}
		if n.err != nil {
			return nil, 0, locateError(n.err, where, i+1)
		}
		whole += len(n.text)
	}
	if r.remaining > 0 {
		return nil, 0, &DamageError{Where: where, Line: bytes.Count(text[:whole], []byte("\n")) + 1,
			What: fmt.Sprintf("entries are missing at the end: %d", r.remaining)}
	}
	return r.ledger, whole, nil
}

// isTorn reports whether a line is what a crash leaves of the last one: a part of it, or blocks of
// zeros that never reached the disk.
func isTorn(n decodedLine) bool {
	return n.err != nil && !bytes.HasSuffix(n.text, []byte("\n")) &&
		(errors.Is(n.err, io.ErrUnexpectedEOF) || bytes.IndexByte(n.text, 0) >= 0)
}

// FirstBytes is what every ledger file begins with.
const FirstBytes = `{"hew_ledger":`

// isHeaderPrefix reports whether data can be the torn first line of a ledger.
func isHeaderPrefix(data []byte) bool {
	start := []byte(FirstBytes)
	return bytes.HasPrefix(data, start) || bytes.HasPrefix(start, data) || len(bytes.Trim(data, "\x00")) == 0
}

// locateError adds the ledger and the line number to an error of lineReader.
func locateError(err error, where string, n int) error {
	var format *FormatError
	if errors.As(err, &format) {
		format.Where = where
		return format
	}
	return &DamageError{Where: where, Line: n, What: err.Error()}
}

// decodedLine is a line with its text, or the error of decoding it.
type decodedLine struct {
	text []byte // with its line break
	line line
	err  error
}

// decodeLines decodes the lines on all processors, because that is most of the time of a load.
func decodeLines(text []byte) []decodedLine {
	all := make([]decodedLine, 0, bytes.Count(text, []byte("\n"))+1)
	for data := range bytes.Lines(text) {
		all = append(all, decodedLine{text: data})
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(all, len(all)/runtime.GOMAXPROCS(0)+1) {
		wg.Go(func() {
			for i := range part {
				part[i].line, part[i].err = decodeLine(bytes.TrimSuffix(part[i].text, []byte("\n")))
			}
		})
	}
	wg.Wait()
	return all
}

func decodeLine(data []byte) (n line, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return n, fmt.Errorf("not a ledger line (%w)", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return n, errors.New("a line break is missing between two ledger lines")
	}
	return n, nil
}

// lineReader builds a ledger from its lines.
type lineReader struct {
	ledger    *Ledger
	remaining int // entries of the compact part that are still to come
	lineCount int // of the whole file, an upper bound of the number of entries
}

func (r *lineReader) addLine(n line) error {
	if r.ledger == nil {
		return r.addHeader(n)
	}
	if r.remaining > 0 {
		if n.Serial != 0 || n.Entry == nil {
			return fmt.Errorf("entries are missing before this line: %d", r.remaining)
		}
		if _, twice := r.ledger.Entries[n.Addr]; twice {
			return fmt.Errorf("%s is recorded twice", n.Addr)
		}
		r.remaining--
	} else if n.Serial != r.ledger.Serial+1 {
		return fmt.Errorf("the serial is %d instead of %d; two versions of the ledger may have been merged", n.Serial,
			r.ledger.Serial+1)
	} else {
		r.ledger.Serial = n.Serial
	}
	switch {
	case n.Format != 0:
		return r.replaceHeader(n)
	case n.Addr == addr.Instance{} || (n.Entry == nil) != n.Removed:
		return errors.New("the line neither sets nor removes an entry")
	case n.Removed:
		delete(r.ledger.Entries, n.Addr)
	default:
		n.Entry.redactKey()
		r.ledger.Entries[n.Addr] = *n.Entry
	}
	return nil
}

func (r *lineReader) addHeader(n line) error {
	switch {
	case n.Format > Format:
		return &FormatError{Format: n.Format}
	case n.Format != Format || n.Lineage == "" || n.Entries < 0:
		return errors.New("not the header of a ledger")
	}
	r.remaining = n.Entries
	r.ledger = &Ledger{Header: n.Header, Entries: make(map[addr.Instance]Entry, min(n.Entries, r.lineCount))}
	return nil
}

func (r *lineReader) replaceHeader(n line) error {
	if n.Format != r.ledger.Format || n.Lineage != r.ledger.Lineage || n.Entries != 0 {
		return errors.New("the header belongs to another ledger")
	}
	r.ledger.Host, r.ledger.KeyFingerprint = n.Host, n.KeyFingerprint
	return nil
}

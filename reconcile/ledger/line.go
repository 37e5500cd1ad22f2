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

// The text form is one JSON object a line. The first is a header with the number
// of entries that follow it, sorted by address and without serial: the compact
// part, written in one go. After it comes the journal, in which every line has
// the next serial: entries set or removed, and headers that replace the first.
// Counts and serials make a line that is lost, doubled or merged in from another
// branch a damage that is seen. A crash can only tear the last line.
type line struct {
	Format         int    `json:"hew_ledger,omitempty"` // of a header
	Serial         uint64 `json:"serial,omitempty"`
	Host           string `json:"host,omitempty"`
	Lineage        string `json:"lineage,omitempty"`
	KeyFingerprint string `json:"key,omitempty"`
	Entries        int    `json:"entries,omitempty"`

	Addr    addr.Instance `json:"addr,omitzero"`
	Entry   *Entry        `json:"entry,omitempty"`
	Removed bool          `json:"removed,omitempty"`
}

func (l *Ledger) header() line {
	return line{Format: l.Format, Host: l.Host, Lineage: l.Lineage, KeyFingerprint: l.KeyFingerprint, Serial: l.Serial}
}

// print appends the line as text.
func (n line) print(to []byte) ([]byte, error) {
	buf := bytes.NewBuffer(to)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(n)
	return buf.Bytes(), err
}

// print is the compact form: the same bytes for the same ledger.
func (l *Ledger) print() ([]byte, error) {
	head := l.header()
	head.Entries = len(l.Entries)
	text, err := head.print(nil)
	for _, a := range l.Sorted() {
		if err != nil {
			break
		}
		e := l.Entries[a]
		text, err = line{Addr: a, Entry: &e}.print(text)
	}
	return text, err
}

// parse reads the text form. It returns how many bytes hold whole lines; the
// rest is what a crash left of the last one. The ledger is nil where the text
// has no header yet.
func parse(where string, text []byte) (l *Ledger, whole int, err error) {
	lines := decodeAll(text)
	r := reader{most: len(lines)}
	for i, n := range lines {
		if torn(n) && (i > 0 || beginsHeader(n.text)) {
			break
		}
		if n.err == nil {
			n.err = r.add(n.line)
		}
		if n.err != nil {
			return nil, 0, located(n.err, where, i+1)
		}
		whole += len(n.text)
	}
	if r.missing > 0 {
		return nil, 0, &DamageError{Where: where, Line: bytes.Count(text[:whole], []byte("\n")) + 1, What: fmt.Sprintf("%d more entries should follow", r.missing)}
	}
	return r.ledger, whole, nil
}

// torn tells what a crash leaves of a last line, a part of it or blocks that
// never reached the disk, from other damage.
func torn(n decoded) bool {
	return n.err != nil && !bytes.HasSuffix(n.text, []byte("\n")) &&
		(errors.Is(n.err, io.ErrUnexpectedEOF) || bytes.IndexByte(n.text, 0) >= 0)
}

// beginsHeader tells the torn first line of a ledger from some other file.
func beginsHeader(data []byte) bool {
	start := []byte(`{"hew_ledger":`)
	return bytes.HasPrefix(data, start) || bytes.HasPrefix(start, data) || len(bytes.Trim(data, "\x00")) == 0
}

func located(err error, where string, n int) error {
	var format *FormatError
	if errors.As(err, &format) {
		format.Where = where
		return format
	}
	return &DamageError{Where: where, Line: n, What: err.Error()}
}

type decoded struct {
	text []byte // with its line break
	line line
	err  error
}

// decodeAll decodes the lines on all processors: it is most of the time that
// loading takes.
func decodeAll(text []byte) []decoded {
	all := make([]decoded, 0, bytes.Count(text, []byte("\n"))+1)
	for data := range bytes.Lines(text) {
		all = append(all, decoded{text: data})
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(all, len(all)/runtime.GOMAXPROCS(0)+1) {
		wg.Go(func() {
			for i := range part {
				part[i].line, part[i].err = decode(bytes.TrimSuffix(part[i].text, []byte("\n")))
			}
		})
	}
	wg.Wait()
	return all
}

func decode(data []byte) (n line, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return n, fmt.Errorf("not a line of a ledger (%w)", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return n, errors.New("more than one line of a ledger without a line break")
	}
	return n, nil
}

// reader builds a ledger from its lines.
type reader struct {
	ledger  *Ledger
	missing int // lines of the compact part that are still to come
	most    int // lines there are, which bounds the entries
}

func (r *reader) add(n line) error {
	if r.ledger == nil {
		return r.begin(n)
	}
	if r.missing > 0 {
		if n.Serial != 0 || n.Entry == nil {
			return fmt.Errorf("%d more entries should come first", r.missing)
		}
		if _, twice := r.ledger.Entries[n.Addr]; twice {
			return fmt.Errorf("a second entry of %s", n.Addr)
		}
		r.missing--
	} else if n.Serial != r.ledger.Serial+1 {
		return fmt.Errorf("serial %d where %d should follow; were two versions of the ledger merged?", n.Serial, r.ledger.Serial+1)
	} else {
		r.ledger.Serial = n.Serial
	}
	switch {
	case n.Format != 0:
		return r.rebind(n)
	case n.Addr == addr.Instance{} || (n.Entry == nil) != n.Removed:
		return errors.New("neither an entry nor the removal of one")
	case n.Removed:
		delete(r.ledger.Entries, n.Addr)
	default:
		r.ledger.Entries[n.Addr] = *n.Entry
	}
	return nil
}

func (r *reader) begin(n line) error {
	switch {
	case n.Format > Format:
		return &FormatError{Format: n.Format}
	case n.Format != Format || n.Lineage == "" || n.Entries < 0:
		return errors.New("not the header of a ledger")
	}
	r.missing = n.Entries
	r.ledger = &Ledger{Format: n.Format, Host: n.Host, Lineage: n.Lineage, KeyFingerprint: n.KeyFingerprint,
		Serial: n.Serial, Entries: make(map[addr.Instance]Entry, min(n.Entries, r.most))}
	return nil
}

func (r *reader) rebind(n line) error {
	if n.Format != r.ledger.Format || n.Lineage != r.ledger.Lineage || n.Entries != 0 {
		return errors.New("the header of another ledger")
	}
	r.ledger.Host, r.ledger.KeyFingerprint = n.Host, n.KeyFingerprint
	return nil
}

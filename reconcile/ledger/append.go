package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func (f *file) Append(_ context.Context, deltas ...Delta) error { return f.append(deltas, f.flush) }

// flush appends lines to the file and waits for the disk.
func (f *file) flush(lines []line) (err error) {
	if err := f.ready(); err != nil {
		return err
	}
	text, serial, err := f.print(lines)
	if err != nil {
		return fmt.Errorf("cannot write the ledger: %w", err)
	}
	h, err := f.openCurrent(f.seen == nil)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := f.write(h, text); err != nil {
		return fmt.Errorf("cannot write the ledger, so the last changes are on the host but not in it: %w; "+
			"put that right and run again, they are found by their keys", err)
	}
	f.head.Serial, f.bound, f.open = serial, false, false
	return nil
}

// print numbers the lines from the last serial, after the header if that is new.
func (f *file) print(lines []line) (text []byte, serial uint64, err error) {
	serial = f.head.Serial
	if f.open {
		text = append(text, '\n')
	}
	if head := f.head.header(); f.end == 0 {
		text, err = head.print(text)
	} else if f.bound {
		serial++
		head.Serial = serial
		text, err = head.print(text)
	}
	for _, n := range lines {
		if err != nil {
			break
		}
		serial++
		n.Serial = serial
		text, err = n.print(text)
	}
	return text, serial, err
}

// openCurrent opens the file as it was last seen, locked against other writers
// until it is closed. Where somebody else wrote meanwhile it is a *StaleError.
func (f *file) openCurrent(create bool) (*os.File, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
		if err := makeDir(filepath.Dir(f.path)); err != nil {
			return nil, fmt.Errorf("cannot write the ledger: %w", err)
		}
	}
	h, err := openFile(f.path, flags, 0o644)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &StaleError{f.path, f.head.Serial}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write the ledger: %w", err)
	}
	err = flock(h, exclusive)
	if err == nil {
		var now os.FileInfo
		if now, err = h.Stat(); err == nil && !(current(h, f.path) && unchanged(f.seen, now)) {
			err = &StaleError{f.path, f.head.Serial}
		}
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// write puts text after the last whole line, over what a crash left there. If
// that fails it takes the text away again; if it cannot, or if the disk does not
// say what it has, no further write is tried.
func (f *file) write(h *os.File, text []byte) error {
	err := h.Truncate(f.end)
	if err == nil {
		_, err = h.WriteAt(text, f.end)
	}
	if err != nil {
		f.broken = h.Truncate(f.end)
	} else {
		err = f.sync(h)
		if err == nil && f.end == 0 {
			err = syncDir(filepath.Dir(f.path))
		}
		f.broken = err
	}
	if err == nil {
		f.end += int64(len(text))
	}
	var statErr error
	f.seen, statErr = h.Stat()
	return errors.Join(err, statErr)
}

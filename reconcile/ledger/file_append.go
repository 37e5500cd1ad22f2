package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func (f *fileBackend) Append(_ context.Context, deltas ...Delta) error {
	return f.commit(deltas, f.flush)
}

// flush appends lines to the file and waits until they are on the disk.
func (f *fileBackend) flush(lines []line) (err error) {
	if err := f.checkWritable(); err != nil {
		return err
	}
	text, serial, err := f.encodeLines(lines)
	if err != nil {
		return fmt.Errorf("cannot write the ledger: %w", err)
	}
	h, err := f.openUnchanged(f.info == nil)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := f.writeAtEnd(h, text); err != nil {
		return unrecordedError(err)
	}
	f.header.Serial, f.headerDirty, f.noLineBreak = serial, false, false
	return nil
}

// unrecordedError wraps the error of a write that came after changes on the host.
func unrecordedError(err error) error {
	return fmt.Errorf("cannot write the ledger: %w. The last changes are on the host but not in the ledger. "+
		"Fix the cause and run the command again; hew finds them by their keys", err)
}

// encodeLines numbers the lines from the last serial, and puts the header before them if it has
// changed.
func (f *fileBackend) encodeLines(lines []line) (text []byte, serial uint64, err error) {
	serial = f.header.Serial
	if f.noLineBreak {
		text = append(text, '\n')
	}
	if f.wholeSize == 0 {
		text, err = line{Header: *f.header}.appendTo(text)
	} else if f.headerDirty {
		serial++
		head := line{Header: *f.header}
		head.Serial = serial
		text, err = head.appendTo(text)
	}
	for _, n := range lines {
		if err != nil {
			break
		}
		serial++
		n.Serial = serial
		text, err = n.appendTo(text)
	}
	return text, serial, err
}

// openUnchanged opens the file and locks it against other writers until it is closed. It fails with
// a *StaleError if another run has written the file since f.info was taken.
func (f *fileBackend) openUnchanged(create bool) (*os.File, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
		if err := makeDir(filepath.Dir(f.path)); err != nil {
			return nil, fmt.Errorf("cannot write the ledger: %w", err)
		}
	}
	h, err := openFile(f.path, flags, 0o644)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &StaleError{f.path, f.header.Serial}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write the ledger: %w", err)
	}
	err = flock(h, exclusive)
	if err == nil {
		var now os.FileInfo
		if now, err = h.Stat(); err == nil && !(isFileAt(h, f.path) && isUnchanged(f.info, now)) {
			err = &StaleError{f.path, f.header.Serial}
		}
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// writeAtEnd writes text after the last whole line, over whatever a crash left there. If that fails
// it removes the text again. If that fails too, or if the disk does not confirm the write, the
// content of the file is unknown: writeErr then refuses all further writes.
func (f *fileBackend) writeAtEnd(h *os.File, text []byte) error {
	err := h.Truncate(f.wholeSize)
	if err == nil {
		_, err = h.WriteAt(text, f.wholeSize)
	}
	if err != nil {
		f.writeErr = h.Truncate(f.wholeSize)
	} else {
		err = f.sync(h)
		if err == nil && f.wholeSize == 0 {
			err = syncDir(filepath.Dir(f.path))
		}
		f.writeErr = err
	}
	if err == nil {
		f.wholeSize += int64(len(text))
	}
	var statErr error
	f.info, statErr = h.Stat()
	return errors.Join(err, statErr)
}

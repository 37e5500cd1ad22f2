package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/report/prose"
)

// StandardInput is the name of the file -.
const StandardInput = "standard input"

// head has the fields that identify documents and their types.
type head struct {
	FormatVersion string           `json:"format_version"`
	Command       string           `json:"command"`
	Changes       *json.RawMessage `json:"changes"`
	Directories   []struct {
		Directory string          `json:"directory"`
		ExitCode  int             `json:"exit_code"`
		Report    json.RawMessage `json:"report"`
	} `json:"directories"`
}

// readHead fails for anything that is not a plan, and for the format of a newer hew. The version is
// that of this hew.
func readHead(name, version string, raw []byte) (h head, err error) {
	err = json.Unmarshal(raw, &h)
	cut := json.NewDecoder(bytes.NewReader(raw)).Decode(new(json.RawMessage))
	var syntax *json.SyntaxError
	makes := "hew plan -json"
	if name != StandardInput {
		makes += " -o=" + name
	}
	switch {
	case len(raw) == 0:
		return h, fmt.Errorf("%s is empty; %s writes a plan to it", name, makes)
	case raw[0] != '{':
		return h,
			fmt.Errorf("%s is not a saved plan. Name a file written by hew plan -out=FILE or hew plan -json", name)
	case errors.Is(cut, io.ErrUnexpectedEOF):
		return h, fmt.Errorf("%s ends in the middle: it was not written to its end, or cut off since. Make it again "+
			"with %s", name, makes)
	case errors.As(err, &syntax):
		return h, Damaged(name, fmt.Errorf("%w, at byte %d", err, syntax.Offset))
	case h.Changes == nil && len(h.Directories) == 0 || h.Command == "" || h.FormatVersion == "":
		return h, fmt.Errorf(
			"%s is JSON, but not a saved plan. Name a file written by hew plan -out=FILE or hew plan -json", name,
		)
	}
	if major, ours := majorOf(h.FormatVersion), majorOf(FormatVersion); major != ours {
		which := "a newer hew, of that version at least"
		if major < ours {
			which = "the hew that wrote it"
		}
		return h, fmt.Errorf("%s has format_version %s, and this hew (%s) reads %d.x. Show it with %s", name,
			h.FormatVersion, version, ours, which)
	}
	return h, nil
}

// Read reads a JSON document, for the given version of hew.
func Read(name, version string, raw []byte) ([]Part, error) {
	raw = bytes.TrimSpace(raw)
	h, err := readHead(name, version, raw)
	if err != nil {
		return nil, err
	}
	if h.Changes != nil {
		d, err := readDocument(name, h.Command, raw)
		return []Part{{Document: d}}, err
	}
	var parts []Part
	for i, dir := range h.Directories {
		switch {
		case dir.Directory == "":
			return nil, Damaged(name, fmt.Errorf("directories[%d] has no directory", i))
		case len(dir.Report) == 0:
			return nil, Damaged(name, fmt.Errorf("directories[%d] has no report", i))
		}
		d, err := readDocument(name+": "+dir.Directory, h.Command, dir.Report)
		if err != nil {
			return nil, err
		}
		parts = append(parts, Part{dir.Directory, dir.ExitCode, d})
	}
	return parts, nil
}

func readDocument(name, command string, raw []byte) (*Document, error) {
	d := NewDocument(command, "")
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber() // as long as they were written
	if err := read.Decode(d); err != nil {
		return nil, Damaged(name, err)
	}
	d.FormatVersion = FormatVersion
	if err := d.intact(name, raw); err != nil {
		return nil, err
	}
	if err := d.resolve(); err != nil {
		return nil, Damaged(name, err)
	}
	return d, nil
}

// resolve restores the fields of a document that are not in its JSON. It fails for an invalid
// address or action. Properties of kinds that the JSON does not have stay unknown.
func (d *Document) resolve() error {
	d.Stats.Shared = d.Requests == nil
	if d.Requests != nil {
		d.Stats.Requests = *d.Requests
	}
	if d.Seconds != nil {
		d.Stats.Seconds = *d.Seconds
	}
	for i := range d.Changes {
		if err := d.Changes[i].resolve(); err != nil {
			return fmt.Errorf("changes[%d]: %w", i, err)
		}
	}
	for i := range d.Drift {
		if err := d.Drift[i].resolve(); err != nil {
			return fmt.Errorf("drift[%d]: %w", i, err)
		}
	}
	for i, b := range d.Blocked {
		for _, at := range append([]string{b.Address}, b.By...) {
			if _, err := addr.Parse(at); err != nil {
				return fmt.Errorf("blocked[%d]: %w", i, err)
			}
		}
	}
	if o := d.Outcome; o != nil {
		for _, done := range slices.Concat(o.Done, o.Recorded, o.Failed, o.Skipped) {
			if err := located(done.Address, done.Action); err != nil {
				return fmt.Errorf("outcome: %w", err)
			}
		}
	}
	return nil
}

func (c *Change) resolve() error {
	if err := located(c.Address, c.Action); err != nil {
		return err
	}
	if c.PreviousAddress != "" {
		if _, err := addr.Parse(c.PreviousAddress); err != nil {
			return err
		}
	}
	if c.Element != "" && c.Set == "" { // of an older hew
		c.Set = strings.TrimSuffix(c.Address, "["+prose.Quote(c.Element)+"]")
	}
	for i := range c.Paths {
		if p := &c.Paths[i]; p.Reference {
			p.Before, p.After = referring(p.Before, nil), referring(p.After, p.Unknown)
		}
	}
	return nil
}

func (e *Event) resolve() error {
	if _, known := e.Happened.words(); !known {
		return fmt.Errorf("there is no event %q", e.Happened)
	}
	for i := range e.Paths {
		if f := &e.Paths[i]; f.Reference {
			f.Was, f.Is = referring(f.Was, f.WasUnknown), referring(f.Is, nil)
		}
	}
	_, err := addr.Parse(e.Address)
	return err
}

// located fails for an invalid address or action.
func located(address, action string) error {
	if _, known := signs[action]; !known {
		return fmt.Errorf("there is no action %q", action)
	}
	_, err := addr.Parse(address)
	return err
}

// majorOf returns the first number of a version, -1 if it is not a version.
func majorOf(version string) int {
	first, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return -1
	}
	return n
}

// Damaged returns the error for a file that hew did not write or that was changed.
func Damaged(name string, err error) error {
	return fmt.Errorf("%s is damaged: %w", name, err)
}

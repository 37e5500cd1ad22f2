package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"hew/reconcile/addr"
)

// documentVersion stands where a Terraform state says its version. Terraform
// refuses versions above those it knows, so it never takes a ledger for a state
// and writes over it.
const documentVersion = 1000 + Format

// document is a ledger as one JSON object. Version, serial and lineage stand at
// the top, as in a Terraform state, for that is what servers look at that keep
// such states.
type document struct {
	Version        int             `json:"version"`
	Serial         uint64          `json:"serial"`
	Lineage        string          `json:"lineage"`
	Format         int             `json:"hew_ledger"`
	Host           string          `json:"host,omitempty"`
	KeyFingerprint string          `json:"key,omitempty"`
	Entries        []documentEntry `json:"entries"`
	Terraform      json.RawMessage `json:"terraform_version,omitempty"` // of a state
}

type documentEntry struct {
	Addr  addr.Instance   `json:"addr"`
	Entry json.RawMessage `json:"entry"`
}

// entries are those of a document, in their text form.
type entries map[addr.Instance]json.RawMessage

// with is what lines make of the entries, which stay as they are.
func (e entries) with(lines []line, whole bool) (entries, error) {
	next := entries{}
	if !whole {
		maps.Copy(next, e)
	}
	for _, n := range lines {
		if n.Entry == nil {
			delete(next, n.Addr)
			continue
		}
		text, err := json.Marshal(n.Entry)
		if err != nil {
			return nil, err
		}
		next[n.Addr] = text
	}
	return next, nil
}

// document prints a header and entries: the same bytes for the same ledger.
func (e entries) document(head line) ([]byte, error) {
	d := document{Version: documentVersion, Serial: head.Serial, Lineage: head.Lineage, Format: head.Format,
		Host: head.Host, KeyFingerprint: head.KeyFingerprint, Entries: []documentEntry{}}
	for _, a := range slices.SortedFunc(maps.Keys(e), addr.Instance.Compare) {
		d.Entries = append(d.Entries, documentEntry{a, e[a]})
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(d)
	return text.Bytes(), err
}

// parseDocument reads a document.
func parseDocument(where string, text []byte) (*Ledger, entries, error) {
	var d document
	damaged := func(format string, args ...any) (*Ledger, entries, error) {
		return nil, nil, &DamageError{Where: where, What: fmt.Sprintf(format, args...), serial: d.Serial}
	}
	switch err := json.Unmarshal(text, &d); {
	case err != nil:
		return damaged("not a ledger (%s)", err)
	case d.Format == 0 && d.Terraform != nil:
		return nil, nil, fmt.Errorf("what is stored at %s is no ledger: it is a Terraform state, and nothing was read from the host or sent; give the ledger a name of its own", where)
	case d.Format > Format:
		return nil, nil, &FormatError{Where: where, Format: d.Format}
	case d.Format != Format || d.Lineage == "" || d.Serial == 0:
		return damaged("not a ledger")
	}
	l := &Ledger{Format: d.Format, Host: d.Host, Lineage: d.Lineage, KeyFingerprint: d.KeyFingerprint, Serial: d.Serial,
		Entries: make(map[addr.Instance]Entry, len(d.Entries))}
	raw := make(entries, len(d.Entries))
	for _, n := range d.Entries {
		if _, twice := raw[n.Addr]; twice || n.Addr == (addr.Instance{}) {
			return damaged("%q is there twice, or an entry has no address", n.Addr)
		}
		e, err := decodeEntry(n.Entry)
		if err != nil {
			return damaged("%s: %s", n.Addr, err)
		}
		l.Entries[n.Addr], raw[n.Addr] = e, n.Entry
	}
	return l, raw, nil
}

func decodeEntry(text []byte) (e Entry, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, fmt.Errorf("not an entry of a ledger (%w)", err)
	}
	return e, nil
}

package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"hew/reconcile/addr"
)

// documentVersion stands where a Terraform state has its version. Terraform refuses versions above
// those it knows, so it never mistakes a ledger for a state and overwrites it.
const documentVersion = 1000 + Format

// document is a ledger as one JSON object. Version, serial and lineage are at the top level as in a
// Terraform state, because servers of such states look at them.
type document struct {
	Version        int             `json:"version"`
	Serial         uint64          `json:"serial"`
	Lineage        string          `json:"lineage"`
	Format         int             `json:"hew_ledger"`
	Host           string          `json:"host,omitempty"`
	KeyFingerprint string          `json:"key,omitempty"`
	Entries        []documentEntry `json:"entries"`
	Terraform      json.RawMessage `json:"terraform_version,omitempty"` // only in a Terraform state
}

type documentEntry struct {
	Addr  addr.Instance   `json:"addr"`
	Entry json.RawMessage `json:"entry"`
}

// rawEntries is the entries of a document in their JSON form.
type rawEntries map[addr.Instance]json.RawMessage

// apply returns a copy with the lines applied; if whole, to no entries at all.
func (e rawEntries) apply(lines []line, whole bool) (rawEntries, error) {
	next := rawEntries{}
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

// encodeDocument returns the document with that header. Equal ledgers have the same bytes.
func (e rawEntries) encodeDocument(head Header) ([]byte, error) {
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

// parseDocument reads what encodeDocument wrote.
func parseDocument(where string, text []byte) (*Ledger, rawEntries, error) {
	var d document
	damaged := func(format string, args ...any) (*Ledger, rawEntries, error) {
		return nil, nil, &DamageError{Where: where, What: fmt.Sprintf(format, args...), serial: d.Serial}
	}
	switch err := json.Unmarshal(text, &d); {
	case err != nil:
		return damaged("not a ledger (%s)", err)
	case d.Format == 0 && d.Terraform != nil:
		return nil, nil, fmt.Errorf("%s holds a Terraform state, not a ledger, so hew read and wrote nothing on "+
			"the host. Set the address of the ledger to one that is not in use", where)
	case d.Format > Format:
		return nil, nil, &FormatError{Where: where, Format: d.Format}
	case d.Format != Format || d.Lineage == "" || d.Serial == 0:
		return damaged("not a ledger")
	}
	head := Header{Format: d.Format, Serial: d.Serial, Host: d.Host, Lineage: d.Lineage,
		KeyFingerprint: d.KeyFingerprint}
	l := &Ledger{Header: head, Entries: make(map[addr.Instance]Entry, len(d.Entries))}
	raw := make(rawEntries, len(d.Entries))
	for _, n := range d.Entries {
		if n.Addr == (addr.Instance{}) {
			return damaged("an entry has no address")
		}
		if _, ok := raw[n.Addr]; ok {
			return damaged("%s is recorded twice", n.Addr)
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
		return e, fmt.Errorf("not a ledger entry (%w)", err)
	}
	e.redactKey()
	return e, nil
}

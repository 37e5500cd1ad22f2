package object

import (
	"bytes"
	"encoding/hex"
	"fmt"
)

// IDSize is the length of an id in bytes. Written out, it has twice as many hexadecimal digits.
const IDSize = 20

// ID is the SHA-1 of an object. The zero value stands for no object.
type ID [IDSize]byte

// EmptyTree is the id of the tree without entries.
var EmptyTree = Hash(KindTree, nil)

// String returns the 40 hexadecimal digits.
func (i ID) String() string { return hex.EncodeToString(i[:]) }

// Short returns the first n hexadecimal digits.
func (i ID) Short(n int) string { return i.String()[:min(max(n, 0), 2*IDSize)] }

// IsZero reports whether i is the zero value.
func (i ID) IsZero() bool { return i == ID{} }

// Compare returns -1, 0 or 1, by the order in which indexes of packs hold their ids.
func (i ID) Compare(other ID) int { return bytes.Compare(i[:], other[:]) }

// MarshalText returns the hexadecimal digits.
func (i ID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, i[:]), nil }

// UnmarshalText sets i from hexadecimal digits.
func (i *ID) UnmarshalText(text []byte) (err error) {
	*i, err = ParseID(string(text))
	return err
}

// ParseID reads an id of 40 hexadecimal digits, in either case.
func ParseID(digits string) (ID, error) {
	var id ID
	if len(digits) == 2*IDSize {
		if _, err := hex.Decode(id[:], []byte(digits)); err == nil {
			return id, nil
		}
	}
	return ID{}, fmt.Errorf("%.50q is not an object id: want %d hexadecimal digits", digits, 2*IDSize)
}

// IDFrom copies an id of 20 bytes.
func IDFrom(raw []byte) (ID, error) {
	if len(raw) != IDSize {
		return ID{}, fmt.Errorf("an object id has %d bytes instead of %d", len(raw), IDSize)
	}
	return ID(raw), nil
}

// ScanBytes reads a column of a database; null is the zero value.
func (i *ID) ScanBytes(raw []byte) error {
	if raw == nil {
		*i = ID{}
		return nil
	}
	id, err := IDFrom(raw)
	*i = id
	return err
}

// BytesValue returns the value of a column: null for the zero value.
func (i ID) BytesValue() ([]byte, error) {
	if i.IsZero() {
		return nil, nil
	}
	return i[:], nil
}

package nuget

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
)

// SymbolKey is what debuggers ask for a file of symbols by, beside its name. Both are in lower
// case, while requests can have either.
type SymbolKey struct {
	Signature string // 40 hexadecimal digits: the GUID of the file, and "ffffffff" for its age
	Checksum  string // SHA-256 of the file with zeros for its id, 64 hexadecimal digits
}

// The parts of a portable PDB (its specification, and ECMA-335 II.24.2).
const (
	pdbMagic      = "BSJB"
	pdbVersion    = "PDB v1.0"
	pdbStream     = "#Pdb" // begins with the id
	pdbIDSize     = 20     // a GUID and a stamp
	maxPDBVersion = 255    // bytes
	maxPDBStreams = 64     // compilers write six
	maxStreamName = 32     // bytes, with the zero at its end
)

// ReadSymbolKey reads a file of symbols to its end, in constant memory. It reports whether this is
// a portable PDB; Windows PDBs and other files are not, and have no key. The error is that of the
// reader.
func ReadSymbolKey(r io.Reader) (key SymbolKey, portable bool, err error) {
	p := pdbReader{from: r, sum: sha256.New()}
	guid, err := p.readID()
	switch err {
	case nil:
	case errNotPortable, io.EOF, io.ErrUnexpectedEOF: // the file ends; a reader that fails may wrap these
		return SymbolKey{}, false, nil
	default:
		return SymbolKey{}, false, err
	}
	if _, err := io.Copy(p.sum, r); err != nil {
		return SymbolKey{}, false, err
	}
	// The first three fields of a GUID are numbers in little-endian order.
	slices.Reverse(guid[:4])
	slices.Reverse(guid[4:6])
	slices.Reverse(guid[6:8])
	return SymbolKey{
		Signature: hex.EncodeToString(guid) + "ffffffff", Checksum: hex.EncodeToString(p.sum.Sum(nil)),
	}, true, nil
}

var errNotPortable = errors.New("the file is not a portable PDB")

// pdbReader reads a file from its start and hashes what it has read.
type pdbReader struct {
	from io.Reader
	at   int64
	sum  hash.Hash
}

// next returns the next n bytes, which are few.
func (p *pdbReader) next(n int) ([]byte, error) {
	field := make([]byte, n)
	if _, err := io.ReadFull(p.from, field); err != nil {
		return nil, err
	}
	p.at += int64(n)
	p.sum.Write(field)
	return field, nil
}

// readID reads up to the end of the id, hashes zeros instead of it, and returns its GUID.
func (p *pdbReader) readID() (guid []byte, err error) {
	streams, err := p.readRoot()
	if err != nil {
		return nil, err
	}
	at := int64(-1)
	for range streams {
		header, err := p.next(8)
		if err != nil {
			return nil, err
		}
		name, err := p.readStreamName()
		if err != nil {
			return nil, err
		}
		if name == pdbStream && at < 0 && binary.LittleEndian.Uint32(header[4:]) >= pdbIDSize {
			at = int64(binary.LittleEndian.Uint32(header))
		}
	}
	if at < p.at {
		return nil, errNotPortable
	}
	if _, err := io.CopyN(p.sum, p.from, at-p.at); err != nil {
		return nil, err
	}
	var id [pdbIDSize]byte
	if _, err := io.ReadFull(p.from, id[:]); err != nil {
		return nil, err
	}
	p.sum.Write(make([]byte, pdbIDSize))
	return id[:16], nil
}

// readRoot reads the start of the file and returns how many streams it has.
func (p *pdbReader) readRoot() (streams int, err error) {
	root, err := p.next(16)
	if err != nil {
		return 0, err
	}
	length := binary.LittleEndian.Uint32(root[12:])
	if string(root[:4]) != pdbMagic || length > maxPDBVersion {
		return 0, errNotPortable
	}
	version, err := p.next(int(length))
	if err != nil {
		return 0, err
	}
	counts, err := p.next(4)
	if err != nil {
		return 0, err
	}
	streams = int(binary.LittleEndian.Uint16(counts[2:]))
	if string(bytes.TrimRight(version, "\x00")) != pdbVersion || streams > maxPDBStreams {
		return 0, errNotPortable
	}
	return streams, nil
}

// readStreamName reads a name that ends with a zero, and is padded to a multiple of four bytes.
func (p *pdbReader) readStreamName() (string, error) {
	var name []byte
	for len(name) < maxStreamName {
		part, err := p.next(4)
		if err != nil {
			return "", err
		}
		name = append(name, part...)
		if before, _, ended := bytes.Cut(name, []byte{0}); ended {
			return string(before), nil
		}
	}
	return "", errNotPortable
}

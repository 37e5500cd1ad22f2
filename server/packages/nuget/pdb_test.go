package nuget_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hew/server/packages/nuget"
)

// pdb describes a portable PDB.
type pdb struct {
	version string // "PDB v1.0" unless set
	streams []pdbStream
}

// pdbStream is a stream of a PDB; they follow the headers in their order.
type pdbStream struct{ name, content string }

// pad returns a text with one zero at its end, or up to four.
func pad(text string) string { return text + strings.Repeat("\x00", 4-len(text)%4) }

// bytes returns the file.
func (p pdb) bytes() []byte {
	version := p.version
	if version == "" {
		version = "PDB v1.0"
	}
	version = pad(version)
	out := []byte("BSJB\x01\x00\x01\x00\x00\x00\x00\x00")
	out = binary.LittleEndian.AppendUint32(out, uint32(len(version)))
	out = append(out, version...)
	out = append(out, 0, 0)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(p.streams)))
	at := len(out)
	for _, s := range p.streams {
		at += 8 + len(pad(s.name))
	}
	for _, s := range p.streams {
		out = binary.LittleEndian.AppendUint32(out, uint32(at))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(s.content)))
		out = append(out, pad(s.name)...)
		at += len(s.content)
	}
	for _, s := range p.streams {
		out = append(out, s.content...)
	}
	return out
}

// The id of a PDB is a GUID, here {497B72F6-390A-44FC-878E-5A2D63B6CC4B}, and a stamp.
const (
	guid      = "\xf6\x72\x7b\x49\x0a\x39\xfc\x44\x87\x8e\x5a\x2d\x63\xb6\xcc\x4b"
	id        = guid + "\x01\x02\x03\x04"
	signature = "497b72f6390a44fc878e5a2d63b6cc4bffffffff"
)

// usual has the streams that compilers write, in their order. The first begins at byte 124.
func usual() pdb {
	return pdb{streams: []pdbStream{
		{"#Pdb", id + strings.Repeat("\x00", 12)}, {"#~", "tables"}, {"#Strings", "\x00"}, {"#US", "\x00"},
		{"#GUID", guid}, {"#Blob", "\x00" + strings.Repeat("blob", 50_000)},
	}}
}

// checksum is that of a file with its id, wherever it is, replaced by zeros.
func checksum(file []byte) string {
	sum := sha256.Sum256(bytes.Replace(file, []byte(id), make([]byte, len(id)), 1))
	return hex.EncodeToString(sum[:])
}

// TestReadSymbolKey: signature and checksum by transfer facts §6.3.
func TestReadSymbolKey(t *testing.T) {
	t.Parallel()
	require.Equal(t, 124, bytes.Index(usual().bytes(), []byte(id)))
	for name, file := range map[string][]byte{
		"as compilers write them": usual().bytes(),
		"the id far from the start": pdb{streams: []pdbStream{
			{"#Blob", strings.Repeat("x", 70_000)}, {"#Pdb", id}, {"#~", "tables"},
		}}.bytes(),
		"the id at the end":      pdb{streams: []pdbStream{{"#Pdb", id}}}.bytes(),
		"a stream that is empty": pdb{streams: []pdbStream{{"#Blob", ""}, {"#Pdb", id}}}.bytes(),
		"a second id":            pdb{streams: []pdbStream{{"#Pdb", id}, {"#Pdb", strings.Repeat("x", 20)}}}.bytes(),
		"a long name":            pdb{streams: []pdbStream{{strings.Repeat("n", 31), ""}, {"#Pdb", id}}}.bytes(),
		"bytes behind it":        append(usual().bytes(), "more"...),
	} {
		for _, r := range []io.Reader{bytes.NewReader(file), iotest.OneByteReader(bytes.NewReader(file))} {
			got, portable, err := nuget.ReadSymbolKey(r)
			require.NoError(t, err, name)
			require.True(t, portable, name)
			require.Equal(t, nuget.SymbolKey{Signature: signature, Checksum: checksum(file)}, got, name)
		}
	}
}

// TestNotPortable: other files have no key.
func TestNotPortable(t *testing.T) {
	t.Parallel()
	file := usual().bytes()
	overwritten := func(at int, value string) []byte {
		changed := bytes.Clone(file)
		copy(changed[at:], value)
		return changed
	}
	for name, file := range map[string][]byte{
		"nothing":                      nil,
		"a Windows PDB":                []byte("Microsoft C/C++ MSF 7.00\r\n\x1aDS" + strings.Repeat("\x00", 500)),
		"text":                         []byte(strings.Repeat("text ", 100)),
		"the metadata of an assembly":  pdb{version: "v4.0.30319", streams: usual().streams}.bytes(),
		"no id":                        pdb{streams: []pdbStream{{"#~", "tables"}, {"#Blob", "x"}}}.bytes(),
		"no streams":                   pdb{}.bytes(),
		"an id that is too short":      pdb{streams: []pdbStream{{"#Pdb", id[:19]}, {"#Blob", "xxx"}}}.bytes(),
		"more streams than there are":  pdb{streams: make([]pdbStream, 65)}.bytes(),
		"a name without end":           pdb{streams: []pdbStream{{strings.Repeat("n", 64), ""}, {"#Pdb", id}}}.bytes(),
		"cut off in the headers":       file[:60],
		"cut off before the id":        file[:120],
		"cut off in the id":            file[:130],
		"an id within the headers":     overwritten(32, "\x10\x00\x00\x00"),
		"an id beyond the end":         overwritten(32, "\xff\xff\xff\xff"),
		"a version of gigabytes":       overwritten(12, "\xff\xff\xff\xff"),
		"a version of unusual length":  overwritten(12, "\x0d"),
		"65,535 streams in the header": overwritten(30, "\xff\xff"),
	} {
		_, portable, err := nuget.ReadSymbolKey(bytes.NewReader(file))
		require.NoError(t, err, name)
		require.False(t, portable, name)
	}
	_, _, err := nuget.ReadSymbolKey(iotest.ErrReader(errBroken))
	require.Equal(t, errBroken, err)
	_, _, err = nuget.ReadSymbolKey(io.MultiReader(bytes.NewReader(file), iotest.ErrReader(errBroken)))
	require.Equal(t, errBroken, err)
}

// FuzzReadSymbolKey: nothing panics, and a key is whole or not there.
func FuzzReadSymbolKey(f *testing.F) {
	f.Add(usual().bytes())
	f.Add(pdb{streams: []pdbStream{{"#Blob", "x"}, {"#Pdb", id}}}.bytes())
	f.Add([]byte("Microsoft C/C++ MSF 7.00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, portable, err := nuget.ReadSymbolKey(bytes.NewReader(file))
		require.NoError(t, err)
		if !portable {
			require.Equal(t, nuget.SymbolKey{}, got)
			return
		}
		require.Len(t, got.Signature, 40)
		require.Len(t, got.Checksum, 64)
	})
}

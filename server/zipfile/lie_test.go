package zipfile_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/zipfile"
)

// edit returns a copy of an archive with bytes changed, from the start of the last signature.
func edit(content []byte, signature string, at int, value ...byte) []byte {
	changed := bytes.Clone(content)
	copy(changed[bytes.LastIndex(changed, []byte(signature))+at:], value)
	return changed
}

const (
	listed = "PK\x01\x02"
	local  = "PK\x03\x04"
	end    = "PK\x05\x06"
)

// TestLies: what an archive claims of itself is checked.
func TestLies(t *testing.T) {
	t.Parallel()
	honest := pack(t, "first", "some content", "second", strings.Repeat("other content", 9))
	damaged := bytes.Clone(honest)
	damaged[bytes.Index(damaged, []byte("first"))+len("first")] ^= 0xff
	for name, c := range map[string]struct {
		content []byte
		want    error
	}{
		"nothing":                     {nil, zipfile.ErrFormat},
		"another format":              {[]byte("\x1f\x8b" + strings.Repeat("x", 100)), zipfile.ErrFormat},
		"cut off":                     {honest[:len(honest)-1], zipfile.ErrFormat},
		"without its start":           {honest[40:], zipfile.ErrFormat},
		"the end alone":               {honest[bytes.LastIndex(honest, []byte(end)):], zipfile.ErrFormat},
		"more entries than there are": {edit(honest, end, 10, 3), zipfile.ErrFormat},
		"a directory too early":       {edit(honest, end, 16, 0, 0), zipfile.ErrFormat},
		"a directory too late":        {edit(honest, end, 16, 255, 255), zipfile.ErrFormat},
		"a directory too short":       {edit(honest, end, 12, 50), zipfile.ErrFormat},
		"a directory too large":       {edit(honest, end, 12, 255, 255, 255, 3), zipfile.ErrTooMany},
		"a size that is smaller":      {edit(honest, listed, 24, 5, 0, 0, 0), zipfile.ErrFormat},
		"a size that is larger":       {edit(honest, listed, 24, 255, 255, 255, 0), zipfile.ErrFormat},
		"a packed size that is less":  {edit(honest, listed, 20, 5, 0, 0, 0), zipfile.ErrFormat},
		"a packed size that is more":  {edit(honest, listed, 20, 255, 255, 0, 0), zipfile.ErrFormat},
		"another checksum":            {edit(honest, listed, 16, 1, 2, 3, 4), zipfile.ErrFormat},
		"the place of another entry":  {edit(honest, listed, 42, 0, 0, 0, 0), zipfile.ErrFormat},
		"a place without header":      {edit(honest, listed, 42, 60, 0, 0, 0), zipfile.ErrFormat},
		"a place beyond the end":      {edit(honest, listed, 42, 255, 255, 0, 0), zipfile.ErrFormat},
		"a name over the content":     {edit(honest, local, 26, 200, 0), zipfile.ErrFormat},
		"content that is damaged":     {damaged, zipfile.ErrFormat},
		"a method of its own":         {edit(honest, listed, 10, 12), zipfile.ErrMethod},
		"encrypted":                   {edit(honest, listed, 8, 1), zipfile.ErrMethod},
	} {
		a, err := open(c.content)
		if err == nil {
			_, err = unpack(a)
		}
		require.ErrorIs(t, err, c.want, name)
	}
}

// claims returns an archive of entries that are not there, which all begin at byte 0.
func claims(entries, said int) []byte {
	var out []byte
	record := append([]byte(listed), make([]byte, 42)...)
	for range entries {
		out = append(out, record...)
	}
	size := len(out)
	record = append([]byte("PK\x06\x06"), make([]byte, 52)...)
	for at, value := range map[int]int{32: said, 40: size} {
		binary.LittleEndian.PutUint64(record[at:], uint64(value))
	}
	out = append(out, record...)
	record = append([]byte("PK\x06\x07"), make([]byte, 16)...)
	binary.LittleEndian.PutUint64(record[8:], uint64(size))
	out = append(out, record...)
	record = append([]byte(end), make([]byte, 18)...)
	copy(record[10:], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
	return append(out, record...)
}

// named returns an archive of empty files with names of so many bytes.
func named(t *testing.T, entries, length int) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := range entries {
		_, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%0*d", length, i)})
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

// TestMemory: entries cost memory up to the limit of them, however many are there or are claimed.
func TestMemory(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		want    error
		most    uint64 // MiB
	}{
		"too many":                   {claims(1_000_000, 1_000_000), zipfile.ErrTooMany, 1},
		"more than they say":         {claims(1_000_000, 100), zipfile.ErrTooMany, 1}, // by its size
		"entries that overlap":       {claims(350_000, 100), zipfile.ErrFormat, 1},
		"none of too many":           {claims(0, 2_000_000), zipfile.ErrTooMany, 1},
		"none of many":               {claims(0, 100_000), zipfile.ErrFormat, 20},
		"a few with long names":      {named(t, 255, 65_000), nil, 20},
		"many with names of a path":  {named(t, 100_000, 100), nil, 40},
		"more bytes than a list has": {named(t, 300, 65_000), zipfile.ErrTooMany, 1},
	} {
		content := bytes.NewReader(c.content)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := zipfile.Open(content, content.Size())
		runtime.ReadMemStats(&after)
		require.ErrorIs(t, err, c.want, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, c.most<<20, name)
	}
}

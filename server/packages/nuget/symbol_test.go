package nuget_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/packages/nuget"
)

// TestParseChecksums: the header Symbolchecksum.
func TestParseChecksums(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("0a", 32), strings.Repeat("bc", 32)
	for header, want := range map[string][]string{
		"":                             nil,
		"SHA256:" + a:                  {a},
		"sha256:" + strings.ToUpper(b): {b},
		"SHA256:" + a + ",SHA256:" + b: {a, b},
		" SHA512:" + a + a + " ; SHA256:" + b + " ": {b},
		"SHA256:" + a[1:]:   nil,
		"SHA256:" + a + "0": nil,
		a:                   nil,
	} {
		require.Equal(t, want, nuget.ParseChecksums(header), header)
	}
}

// TestSymbols: the files of symbols in a package, which open more than once.
func TestSymbols(t *testing.T) {
	t.Parallel()
	file := string(usual().bytes())
	p, err := readPackage(pack(t, "a.nuspec", named("a"), "lib/net8.0/A.pdb", file, `lib\net6.0\b.PDB`, "Microsoft C/C++ MSF 7.00",
		"lib/a.dll", "MZ", "../c.pdb", file, "lib/d.pdb/", "", "lib/.pdb", file))
	require.NoError(t, err)
	symbols, err := p.Symbols()
	require.NoError(t, err)
	require.Len(t, symbols, 2)
	require.Equal(t, "lib/net8.0/A.pdb", symbols[0].Path)
	require.EqualValues(t, len(file), symbols[0].Size)
	require.Equal(t, "lib/net6.0/b.PDB", symbols[1].Path)
	for range 2 {
		got, portable, err := symbols[0].Key()
		require.NoError(t, err)
		require.True(t, portable)
		require.Equal(t, nuget.SymbolKey{Signature: signature, Checksum: checksum([]byte(file))}, got)
	}
	_, portable, err := symbols[1].Key()
	require.NoError(t, err)
	require.False(t, portable)
	r, err := symbols[0].Open()
	require.NoError(t, err)
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, file, string(content))
}

// TestSymbolLimits: how many files, and how many bytes, a package may have of symbols.
func TestSymbolLimits(t *testing.T) {
	t.Parallel()
	files := []string{"a.nuspec", named("a")}
	for range nuget.MaxSymbols {
		files = append(files, strings.Repeat("a", len(files))+".pdb", "")
	}
	p, err := readPackage(pack(t, files...))
	require.NoError(t, err)
	symbols, err := p.Symbols()
	require.NoError(t, err)
	require.Len(t, symbols, nuget.MaxSymbols)

	p, err = readPackage(pack(t, append(files, "b.pdb", "")...))
	require.NoError(t, err)
	_, err = p.Symbols()
	require.Equal(t, nuget.TooManySymbols, err)

	p, err = readPackage(resize(pack(t, "a.nuspec", named("a"), "b.pdb", "x", "c.pdb", ""), nuget.MaxSymbolBytes))
	require.NoError(t, err)
	_, err = p.Symbols()
	require.ErrorIs(t, err, nuget.SymbolsTooLarge)

	p, err = readPackage(resize(pack(t, "a.nuspec", named("a"), "b.pdb", "more than it says"), 4))
	require.NoError(t, err)
	symbols, err = p.Symbols()
	require.NoError(t, err)
	_, _, err = symbols[0].Key()
	require.ErrorIs(t, err, nuget.InvalidFile)
	r, err := symbols[0].Open()
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, r)
	require.ErrorIs(t, err, nuget.InvalidFile)

	p, err = readPackage(cutEntry(t, "b.pdb", usual().bytes(), 40))
	require.NoError(t, err)
	symbols, err = p.Symbols()
	require.NoError(t, err)
	_, _, err = symbols[0].Key()
	require.ErrorIs(t, err, nuget.InvalidFile, "cut off in the archive, and not another kind of file")
}

// cutEntry returns a package with a file whose packed content ends after so many bytes.
func cutEntry(t *testing.T, name string, content []byte, length int) []byte {
	t.Helper()
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.DefaultCompression)
	require.NoError(t, err)
	_, err = deflate.Write(content)
	require.NoError(t, err)
	require.NoError(t, deflate.Close())
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create("a.nuspec")
	require.NoError(t, err)
	_, err = io.WriteString(w, named("a"))
	require.NoError(t, err)
	w, err = z.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(content), CompressedSize64: uint64(length),
		UncompressedSize64: uint64(len(content)),
	})
	require.NoError(t, err)
	_, err = w.Write(packed.Bytes()[:length])
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return out.Bytes()
}

package nuget_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/packages/nuget"
)

// pack returns an archive of files, each a name and its content.
func pack(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		require.NoError(t, err)
		_, err = io.WriteString(w, files[i+1])
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

func readPackage(content []byte) (nuget.Package, error) {
	return nuget.ReadPackage(bytes.NewReader(content), int64(len(content)))
}

// named is a manifest of a package.
func named(id string) string {
	return `<package><metadata><id>` + id + `</id><version>1.0</version></metadata></package>`
}

// TestReadPackage: which file is the manifest.
func TestReadPackage(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]string{
		"beside others":           {"[Content_Types].xml", "<x/>", "_rels/.rels", "", "a.nuspec", named("a"), "lib/a.dll", "MZ"},
		"in capitals":             {"A.NUSPEC", named("a")},
		"with another name":       {"other name.nuspec", named("a")},
		"an escaped name":         {"other%20name.nuspec", named("a")},
		"the first of two":        {"z.nuspec", named("a"), "a.nuspec", named("b")},
		"not in a folder":         {"x/b.nuspec", named("b"), "a.nuspec", named("a")},
		"not behind a backslash":  {`x\b.nuspec`, named("b"), "a.nuspec", named("a")},
		"not behind an escape":    {"x%2Fb.nuspec", named("b"), "a.nuspec", named("a")},
		"not a folder":            {"b.nuspec/", "", "a.nuspec", named("a")},
		"not outside":             {"../b.nuspec", named("b"), `..\b.nuspec`, named("b"), "a.nuspec", named("a")},
		"not absolute":            {"/b.nuspec", named("b"), `\b.nuspec`, named("b"), "a.nuspec", named("a")},
		"not the extension alone": {".nuspec", named("b"), "a.nuspec", named("a")},
		"a percent sign":          {"100%.nuspec", named("a")},
	} {
		p, err := readPackage(pack(t, files...))
		require.NoError(t, err, name)
		require.Equal(t, "a", p.Manifest.ID, name)
	}
	tooLarge := pack(t, "a.nuspec", named("a")+strings.Repeat(" ", nuget.MaxManifest))
	for name, c := range map[string]struct {
		content []byte
		want    nuget.Problem
	}{
		"no zip":                   {[]byte("no zip"), nuget.InvalidFile},
		"nothing":                  {nil, nuget.InvalidFile},
		"cut off":                  {pack(t, "a.nuspec", named("a"))[:100], nuget.InvalidFile},
		"no files":                 {pack(t), nuget.NoManifest},
		"in a folder only":         {pack(t, "x/a.nuspec", named("a")), nuget.NoManifest},
		"without name and version": {pack(t, "a.nuspec", "<package/>"), nuget.NoIdentity},
		"too large":                {tooLarge, nuget.ManifestTooLarge},
		"larger than it says":      {resize(tooLarge, 200), nuget.InvalidFile},
	} {
		_, err := readPackage(c.content)
		require.ErrorIs(t, err, c.want, name)
		require.True(t, strings.HasPrefix(err.Error(), string(c.want)), err)
	}
}

// resize returns an archive whose last entry claims another size.
func resize(content []byte, size uint32) []byte {
	content = bytes.Clone(content)
	at := bytes.LastIndex(content, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(content[at+24:], size)
	return content
}

// brokenReader fails.
type brokenReader struct{}

var errBroken = errors.New("broken")

func (brokenReader) ReadAt([]byte, int64) (int, error) { return 0, errBroken }

// TestReaderErrors: an error of the reader is no problem of the package.
func TestReaderErrors(t *testing.T) {
	t.Parallel()
	_, err := nuget.ReadPackage(brokenReader{}, 100)
	require.Equal(t, errBroken, err)
}

// FuzzReadPackage: nothing panics, and what is wrong with a package is a Problem.
func FuzzReadPackage(f *testing.F) {
	f.Add(pack(f, "a.nuspec", named("a"), "lib/a.pdb", "BSJB"))
	f.Add(pack(f, "A.NUSPEC", nuspec("<tags>x</tags>")))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := readPackage(content); err != nil {
			var problem nuget.Problem
			require.ErrorAs(t, err, &problem)
		}
	})
}

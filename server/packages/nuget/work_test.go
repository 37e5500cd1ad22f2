package nuget_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/packages/nuget"
)

// numbered returns n copies of a text, which has the number of the copy in it.
func numbered(n int, format string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, format, i)
	}
	return out.String()
}

// TestWork: manifests that are as large as can be take memory in proportion to their size, and
// time: each takes a fraction of a second, where work that grew with the square would take minutes
// and end with the limit of the test.
func TestWork(t *testing.T) {
	const elements, bytes = 49_000, nuget.MaxManifest - 1000
	dependencies := func(list string) string { return nuspec("<dependencies>" + list + "</dependencies>") }
	for name, text := range map[string]string{
		"groups":           dependencies(numbered(elements, `<group targetFramework="net%d"/>`)),
		"groups of one":    dependencies(numbered(elements, `<group targetFramework="net8.0" x="%d"/>`)),
		"dependencies":     dependencies(numbered(elements, `<dependency id="p%d" version="[1.0,2.0)"/>`)),
		"equal ones":       dependencies(strings.Repeat(`<dependency id="p" version="[1.0,2.0)"/>`, elements)),
		"types":            nuspec(`<packageTypes>` + numbered(elements, `<packageType name="t%d"/>`) + `</packageTypes>`),
		"titles":           nuspec(strings.Repeat(`<title> </title>`, elements)),
		"attributes":       nuspec("<x" + numbered(90_000, ` a%d=""`) + "/>"),
		"namespaces":       nuspec("<x" + numbered(90_000, ` xmlns:a%d=""`) + "/>"),
		"references":       nuspec("<title>" + strings.Repeat("&amp;", bytes/5) + "</title>"),
		"comments":         nuspec(strings.Repeat("<!---->", bytes/7)),
		"instructions":     nuspec(strings.Repeat("<?a ?>", bytes/6)),
		"CDATA":            nuspec("<title>" + strings.Repeat("<![CDATA[x]]>", bytes/13) + "</title>"),
		"tags":             nuspec("<tags>" + strings.Repeat("a ", bytes/2) + "</tags>"),
		"a long name":      nuspec("<" + strings.Repeat("a:", bytes/4) + "/>"),
		"a declaration":    "<?xml " + strings.Repeat(`" ?`, bytes/3),
		"bytes, not text":  strings.Repeat("\xff", bytes),
		"brackets":         strings.Repeat("<", bytes),
		"a document type":  "<!DOCTYPE " + strings.Repeat("[<", bytes/2),
		"versions":         dependencies(`<dependency id="p" version="` + strings.Repeat("1.", bytes/2) + `"/>`),
		"UTF-16":           utf16Bytes(nuspec("<title>"+strings.Repeat("é", bytes/2-100)+"</title>"), true),
		"an unusual space": nuspec("<tags>" + strings.Repeat("\u2003", bytes/3) + "</tags>"),
	} {
		require.LessOrEqual(t, len(text), nuget.MaxManifest, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read(text)
		runtime.ReadMemStats(&after)
		t.Logf("%s: %d MB, %v", name, (after.TotalAlloc-before.TotalAlloc)>>20, err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(150<<20), name)
	}
}

// FuzzReadManifest: whatever is read is valid and can be read again, and nothing panics.
func FuzzReadManifest(f *testing.F) {
	for _, text := range []string{
		nuspec(""), "\uFEFF" + nuspec("<authors>é</authors>"), utf16Bytes(nuspec("<tags>a b</tags>"), true),
		nuspec(`<dependencies><group targetFramework="x"><dependency id="b" version="[1.0,2.0)"/></group></dependencies>`),
		`<!DOCTYPE x [<!ENTITY e "y">]>` + nuspec("&e;"), `<?xml version="1.0" encoding="iso-8859-1"?>` + nuspec("\xe9"),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := nuget.ReadManifest(bytes.NewReader(content))
		if err != nil {
			var problem nuget.Problem
			require.ErrorAs(t, err, &problem)
			return
		}
		require.True(t, nuget.ValidName(m.ID))
		_, ok := nuget.ParseVersion(m.Version.String())
		require.True(t, ok)
		for _, g := range m.Dependencies {
			for _, d := range g.Dependencies {
				normal, ok := nuget.NormalRange(d.Range)
				require.True(t, ok)
				require.Equal(t, d.Range, normal)
			}
		}
	})
}

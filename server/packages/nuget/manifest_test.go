package nuget_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"hew/server/packages/nuget"
)

// nuspec is a manifest of package a, version 1.0.0, with more elements in its metadata.
func nuspec(more string) string {
	return `<package><metadata><id>a</id><version>1.0.0</version>` + more + `</metadata></package>`
}

func read(text string) (nuget.Manifest, error) { return nuget.ReadManifest(strings.NewReader(text)) }

// mustRead returns a manifest that has to be valid.
func mustRead(t testing.TB, text string) nuget.Manifest {
	t.Helper()
	m, err := read(text)
	require.NoError(t, err, text)
	return m
}

// TestReadManifest: everything that a manifest can say.
func TestReadManifest(t *testing.T) {
	t.Parallel()
	m := mustRead(t, `<?xml version="1.0" encoding="utf-8"?>
<!-- made by hand -->
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata minClientVersion="2.12">
    <id> Acme.Tools </id><version>1.2.3-Beta.1+5f2c</version><title>Tools</title>
    <authors>Ada, Béla</authors><owners>no one</owners>
    <description>Makes <![CDATA[<things>]]> &amp; more.
      Two lines.</description><description>another</description>
    <summary>Things</summary>
    <projectUrl>https://example.com/tools</projectUrl><licenseUrl>https://example.com/mit</licenseUrl>
    <iconUrl>https://example.com/icon.png</iconUrl><license type="expression">MIT</license>
    <tags> one  two
three </tags>
    <packageTypes><packageType name="DotnetTool"/><packageType name="Own" version="1.0" /><packageType/></packageTypes>
    <dependencies>
      <group targetFramework=".NETStandard2.0"><dependency id="B" version="[1.0,2.0)" exclude="Build"/>
        <dependency id="C" include="Runtime,Compile"/></group>
      <group targetFramework="net8.0" />
    </dependencies>
  </metadata>
  <files><file src="x"><metadata><id>z</id></metadata></file></files>
</package>`)
	require.Equal(t, "1.2.3-Beta.1", m.Version.Normal())
	m.Version = nuget.Version{}
	require.Equal(t, nuget.Manifest{
		ID: "Acme.Tools", Title: "Tools", Authors: "Ada, Béla", Description: "Makes <things> & more.\n      Two lines.",
		Summary: "Things", ProjectURL: "https://example.com/tools", LicenseURL: "https://example.com/mit",
		IconURL: "https://example.com/icon.png", Tags: []string{"one", "two", "three"},
		Types: []string{"DotnetTool", "Own"},
		Dependencies: []nuget.DependencyGroup{
			{TargetFramework: ".NETStandard2.0", Dependencies: []nuget.Dependency{
				{ID: "B", Range: "[1.0.0, 2.0.0)"}, {ID: "C", Range: nuget.AnyRange},
			}},
			{TargetFramework: "net8.0"},
		},
	}, m)
	require.False(t, m.IsSymbols())
	require.True(t, mustRead(t, nuspec(`<packageTypes><packageType name="symbolspackage"/></packageTypes>`)).IsSymbols())

	lines := strings.Repeat("=", 300_000)
	require.Equal(t, lines, mustRead(t, nuspec("<description>"+lines+"</description>")).Description)
	require.Equal(t, lines, mustRead(t, nuspec("<description><![CDATA["+lines+"]]></description>")).Description)

	least := mustRead(t, nuspec(""))
	least.Version = nuget.Version{}
	require.Equal(t, nuget.Manifest{ID: "a", Tags: []string{}}, least)
}

// TestNamespaces: elements count by their local names.
func TestNamespaces(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`<n:package xmlns:n="urn:x"><n:metadata><n:id>a</n:id><n:version>1.0.0</n:version></n:metadata></n:package>`,
		`<n:package><n:metadata><n:id>a</n:id><m:version>1.0.0</m:version></n:metadata></n:package>`,
		`<package xmlns="http://schemas.microsoft.com/packaging/2010/07/nuspec.xsd">
			<metadata xmlns="http://schemas.microsoft.com/packaging/2012/06/nuspec.xsd"><id>a</id><version>1.0.0</version>
			</metadata></package>`,
	} {
		require.Equal(t, "a", mustRead(t, text).ID)
	}
}

// TestDependencies: groups are kept and merged, and none of their dependencies is lost.
func TestDependencies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ elements, want string }{
		"none":                    {``, ``},
		"flat":                    {`<dependency id="b" version="1.0"/><dependency id="c"/>`, `: b [1.0.0, ), c (, )`},
		"an empty group":          {`<group/>`, `:`},
		"only empty":              {`<group targetFramework="net6.0"/><group targetFramework="net8.0"></group>`, "net6.0:\nnet8.0:"},
		"flat and grouped":        {`<dependency id="b"/><group targetFramework="x"><dependency id="c"/></group>`, ": b (, )\nx: c (, )"},
		"flat and a group of all": {`<group><dependency id="c"/></group><dependency id="b"/>`, ": c (, ), b (, )"},
		"two groups of one framework": {`<group targetFramework="net6.0"><dependency id="b"/></group>
			<group targetFramework="x"/><group targetFramework="NET6.0"><dependency id="c"/><dependency id="B"/></group>`,
			"net6.0: b (, ), c (, )\nx:"},
		"an empty and a full group": {`<group targetFramework="x"/><group targetFramework="x"><dependency id="c"/></group>`,
			"x: c (, )"},
		"a full and an empty group": {`<group targetFramework="x"><dependency id="c"/></group><group targetFramework="x"/>`,
			"x: c (, )"},
		"one dependency in two ranges": {`<dependency id="b" version="1.0"/><dependency id="b" version="[2.0]"/>`,
			": b [1.0.0, ), b [2.0.0, 2.0.0]"},
		"one dependency twice":  {`<dependency id="b" version="1.0"/><dependency id="b" version="1.0.0"/>`, ": b [1.0.0, )"},
		"an invalid range":      {`<dependency id="b" version="(1.0)"/>`, ": b (, )"},
		"a dependency of none":  {`<dependency version="1.0"/><dependency id=" "/>`, ":"},
		"one out of its place":  {`<x><dependency id="b"/></x><group targetFramework="x"><x><dependency id="b"/></x></group>`, "x:"},
		"space around the text": {`<group targetFramework=" x "><dependency id=" b " version=" 1.0 "/></group>`, "x: b [1.0.0, )"},
	} {
		m := mustRead(t, nuspec(`<dependencies>`+c.elements+`</dependencies>`))
		var groups []string
		for _, g := range m.Dependencies {
			var list []string
			for _, d := range g.Dependencies {
				list = append(list, " "+d.ID+" "+d.Range)
			}
			groups = append(groups, g.TargetFramework+":"+strings.Join(list, ","))
		}
		require.Equal(t, c.want, strings.Join(groups, "\n"), name)
	}
}

// utf16Bytes encodes a text in UTF-16 with the more significant byte first, or last.
func utf16Bytes(text string, bigEndian bool) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		high, low := byte(unit>>8), byte(unit)
		if !bigEndian {
			high, low = low, high
		}
		out = append(out, high, low)
	}
	return string(out)
}

// TestEncodings: the bytes tell the encoding, whatever is declared.
func TestEncodings(t *testing.T) {
	t.Parallel()
	manifest := nuspec("<authors>Bélä 🎉</authors>")
	latin := nuspec("<authors>B\xe9l\xe4 \x80</authors>")
	declared := func(encoding string) string { return `<?xml version="1.0" encoding="` + encoding + `"?>` + "\r\n" }
	for name, c := range map[string]struct{ content, authors string }{
		"nothing declared":                   {manifest, "Bélä 🎉"},
		"a byte order mark":                  {"\uFEFF" + declared("utf-8") + manifest, "Bélä 🎉"},
		"UTF-8 that says it is UTF-16":       {declared("utf-16") + manifest, "Bélä 🎉"},
		"the same with a byte order mark":    {"\uFEFF" + declared("UTF-16") + manifest, "Bélä 🎉"},
		"UTF-8 that says it is Latin-1":      {declared("iso-8859-1") + manifest, "Bélä 🎉"},
		"UTF-8 in an encoding of nobody":     {declared("x-none") + manifest, "Bélä 🎉"},
		"UTF-16 LE":                          {utf16Bytes("\uFEFF"+declared("utf-16")+manifest, false), "Bélä 🎉"},
		"UTF-16 BE":                          {utf16Bytes("\uFEFF"+declared("utf-16")+manifest, true), "Bélä 🎉"},
		"UTF-16 LE that says it is UTF-8":    {utf16Bytes("\uFEFF"+declared("utf-8")+manifest, false), "Bélä 🎉"},
		"UTF-16 LE without a mark":           {utf16Bytes(declared("utf-16")+manifest, false), "Bélä 🎉"},
		"UTF-16 BE without a mark":           {utf16Bytes(manifest, true), "Bélä 🎉"},
		"Windows-1252":                       {declared("windows-1252") + latin, "Bélä €"},
		"single quotes, upper case, XML 1.1": {`<?xml version='1.1' encoding = 'ISO-8859-1' standalone='yes' ?>` + latin, "Bélä €"},
	} {
		m, err := read(c.content)
		require.NoError(t, err, name)
		require.Equal(t, c.authors, m.Authors, name)
	}
	for name, content := range map[string]string{
		"neither UTF-8 nor declared": latin,
		"an encoding of nobody":      declared("x-none") + latin,
		"an encoding that is unsafe": declared("iso-2022-kr") + latin,
		"UTF-32":                     "\x00\x00\xfe\xff\x00\x00\x00<",
	} {
		_, err := read(content)
		require.ErrorIs(t, err, nuget.InvalidFile, name)
	}
}

// TestManifestProblems: what is refused, in the words of transfer facts §6.1.
func TestManifestProblems(t *testing.T) {
	t.Parallel()
	tooLarge := "<title>" + strings.Repeat("x", nuget.MaxManifest) + "</title>"
	of := func(metadata string) string { return `<package><metadata>` + metadata + `</metadata></package>` }
	for name, c := range map[string]struct {
		text string
		want nuget.Problem
	}{
		"nothing":             {"", nuget.NoIdentity},
		"another document":    {"<html/>", nuget.NoIdentity},
		"no id":               {of(`<version>1.0</version>`), nuget.NoIdentity},
		"no version":          {of(`<id>a</id><version> </version>`), nuget.NoIdentity},
		"an id elsewhere":     {of(`<x><id>a</id></x><version>1.0</version>`) + "<id>a</id>", nuget.NoIdentity},
		"an invalid id":       {of(`<id>a/b</id><version>1.0</version>`), nuget.InvalidName},
		"an invalid version":  {of(`<id>a</id><version>1</version>`), nuget.InvalidVersion},
		"too many bytes":      {nuspec(tooLarge), nuget.ManifestTooLarge},
		"too deep":            {nuspec(strings.Repeat("<x>", 60)), nuget.InvalidFile},
		"too many elements":   {nuspec(strings.Repeat("<x/>", 60_000)), nuget.InvalidFile},
		"too many attributes": {nuspec("<x" + strings.Repeat(` a=""`, 300_000) + "/>"), nuget.InvalidFile},
		"too many together":   {nuspec(strings.Repeat("<x"+strings.Repeat(` a=""`, 50_000)+"/>", 3)), nuget.InvalidFile},
		"too many after a >":  {nuspec(`<x a=">"` + strings.Repeat(` a='>'`, 300_000) + "/>"), nuget.InvalidFile},
		"not closed":          {`<package><metadata><id>a</id><version>1.0</version>`, nuget.InvalidFile},
		"not nested":          {of(`<id>a</version>`), nuget.InvalidFile},
		"a document type":     {`<!DOCTYPE package>` + nuspec(""), nuget.InvalidFile},
		"an entity of a file": {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + nuspec("<title>&e;</title>"),
			nuget.InvalidFile},
		"entities of entities": {`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>` + nuspec("<title>&b;</title>"),
			nuget.InvalidFile},
		"an unknown entity": {nuspec("<title>&nbsp;</title>"), nuget.InvalidFile},
		"a zero":            {nuspec("<title>&#0;</title>"), nuget.InvalidFile},
		"a zero byte":       {nuspec("<title>\x00</title>"), nuget.InvalidFile},
	} {
		_, err := read(c.text)
		require.ErrorIs(t, err, c.want, name)
		require.True(t, strings.HasPrefix(err.Error(), string(c.want)), err)
	}
	broken := errors.New("broken")
	_, err := nuget.ReadManifest(iotest.ErrReader(broken))
	require.Equal(t, broken, err, "what the reader says is not a problem of the package")
}

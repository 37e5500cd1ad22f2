package api_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStockClient: nuget.exe of version 5 pushes with a password and with a key, symbols too, and
// finds, installs, restores and deletes packages, in a project and a group that only members see.
func TestStockClient(t *testing.T) {
	s := newStock(t, "stock-client", os.Getenv(clientVar), "/index.json", "private")
	s.run("push", s.pack("Acme.Log", "2.0.0", ".nupkg", alone, "log.txt"), "-Source", "hew", "-NonInteractive")
	s.run("push", s.pack("Acme.Core", "1.0.0", ".nupkg", needsLog, "old.txt"), "-Source", "hew", "-NonInteractive")
	s.pack("Acme.Core", "1.10.0-Beta.2", ".snupkg", ofSymbols, "core.pdb")
	second := s.pack("Acme.Core", "1.10.0-Beta.2", ".nupkg", needsLog, "new.txt")
	s.run("push", second, s.by.Token, "-SymbolApiKey", s.by.Token, "-Source", s.source, "-NonInteractive")
	require.Equal(t, []string{"acme.core.1.10.0-beta.2.nupkg", "acme.core.1.10.0-beta.2.snupkg"}, s.files("1.10.0-Beta.2"))

	found := s.run("search", "acme", "-Source", "hew", "-NonInteractive")
	require.Contains(t, found, "Acme.Core")
	require.Contains(t, found, "1.0.0")
	require.Contains(t, found, "Acme.Log")
	require.Contains(t, s.run("search", "acme", "-Source", "hew", "-PreRelease", "-NonInteractive"), "1.10.0-Beta.2")

	install := func(from, to string, more ...string) {
		t.Helper()
		s.run(append([]string{"install", "acme.core", "-Source", from, "-OutputDirectory", to, "-Framework", "net45",
			"-NoCache", "-NonInteractive"}, more...)...)
	}
	install("hew", "exact", "-Version", "1.0.0")
	require.True(t, s.has("exact/Acme.Core.1.0.0/lib/net45/old.txt"))
	require.True(t, s.has("exact/Acme.Log.2.0.0/lib/net45/log.txt"), "what it depends on was not installed")
	install("hew", "newest")
	require.True(t, s.has("newest/Acme.Core.1.0.0"), "a prerelease is not the newest")
	install("group", "group", "-PreRelease")
	require.True(t, s.has("group/Acme.Core.1.10.0-Beta.2/lib/net45/new.txt"))

	s.write("packages.config", `<?xml version="1.0"?>
<packages>
  <package id="Acme.Core" version="1.10.0-beta.2" targetFramework="net45" />
  <package id="Acme.Log" version="2.0.0" targetFramework="net45" />
</packages>
`)
	s.run("restore", "packages.config", "-PackagesDirectory", "restored", "-NoCache", "-NonInteractive")
	require.True(t, s.has("restored/Acme.Core.1.10.0-beta.2/lib/net45/new.txt") ||
		s.has("restored/Acme.Core.1.10.0-Beta.2/lib/net45/new.txt"))

	r := s.Do(t, s.RootToken, "PUT", s.group+"/package_settings", map[string]any{"nuget_duplicates_allowed": false})
	require.Equal(t, 200, r.Status, "%s", r.Body)
	again := []string{"push", second, s.by.Token, "-Source", s.source, "-NoSymbols", "-NonInteractive"}
	said, done := s.try(again...)
	require.False(t, done, "%s", said)
	require.Contains(t, said, "409")
	s.run(append(again, "-SkipDuplicate")...)

	s.run("delete", "acme.core", "1.0.0", s.by.Token, "-Source", s.source, "-NonInteractive")
	require.Empty(t, s.files("1.0.0"))
	said, done = s.try("install", "Acme.Core", "-Version", "1.0.0", "-Source", "hew", "-OutputDirectory", "gone",
		"-NoCache", "-NonInteractive")
	require.False(t, done, "%s", said)
}

// TestStockOldClient: nuget.exe of version 2 pushes, installs and deletes versions of packages by
// the second version of the protocol. It installs from a public project, since it sends a password
// only to a feed that asks for one at its own address.
func TestStockOldClient(t *testing.T) {
	s := newStock(t, "stock-old-client", os.Getenv(oldClientVar), "/v2", "public")
	for _, version := range []string{"1.0.0", "1.1.0"} {
		s.run("push", s.pack("Acme.Core", version, ".nupkg", alone, version+".txt"), s.by.Token, "-Source", s.source,
			"-NonInteractive")
		require.Len(t, s.files(version), 1)
	}
	for _, version := range []string{"1.1.0", "1.0.0"} {
		s.run("install", "Acme.Core", "-Version", version, "-Source", "hew", "-OutputDirectory", "out", "-NoCache",
			"-NonInteractive")
		require.True(t, s.has("out/Acme.Core."+version+"/lib/net45/"+version+".txt"))
	}
	s.run("delete", "Acme.Core", "1.0.0", s.by.Token, "-Source", s.source, "-NonInteractive")
	require.Empty(t, s.files("1.0.0"))
	require.Len(t, s.files("1.1.0"), 1)
	said, _ := s.try("install", "Acme.Core", "-Version", "1.0.0", "-Source", "hew", "-OutputDirectory", "gone", "-NoCache",
		"-NonInteractive")
	require.False(t, s.has("gone/Acme.Core.1.0.0"), "%s", said)
}

package api_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// The variables that name the clients for make clients: a nuget.exe of version 5, and one of
// version 2, which Debian's package nuget puts in /usr/lib/nuget/NuGet.exe.
const (
	clientVar    = "NUGET_EXE"
	oldClientVar = "NUGET_V2_EXE"
)

// stockManifest is a package that depends on another one, for one framework.
const stockManifest = `<?xml version="1.0"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>%s</id>
    <version>%s</version>
    <authors>Ada</authors>
    <description>What is tried with stock clients.</description>
    %s
  </metadata>
</package>
`

// More elements of manifests.
const (
	alone    = ""
	needsLog = `<dependencies><group targetFramework=".NETFramework4.5"><dependency id="Acme.Log" version="2.0.0" />` +
		`</group></dependencies>`
	ofSymbols = `<packageTypes><packageType name="SymbolsPackage" /></packageTypes>`
)

// stock is a stock client, a maintainer of a project who uses it, and the folder that it works in.
type stock struct {
	*servertest.Server
	t                      *testing.T
	by                     servertest.Persona
	program, dir           string
	group, project, source string
}

// newStock returns a client with a project of that visibility as a source of packages in its
// configuration. It skips the test if the client cannot be run.
func newStock(t *testing.T, name, program, index, visibility string) *stock {
	t.Parallel()
	if _, err := exec.LookPath("mono"); err != nil {
		t.Skip("mono is not installed: install Debian's mono-complete")
	}
	if _, err := os.Stat(program); err != nil {
		t.Skipf("there is no client %q: set %s to a nuget.exe 5, and %s to a nuget.exe 2",
			program, clientVar, oldClientVar)
	}
	s := &stock{Server: servertest.Start(t), t: t, program: program, dir: t.TempDir()}
	s.by = s.User(t, name)
	var group, project servertest.Made
	s.Do(t, s.RootToken, "POST", "/groups", map[string]any{
		"name": "of " + name, "path": "of-" + name, "visibility": visibility,
	}).Into(t, &group)
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{
		"name": "lib", "namespace_id": group.ID, "visibility": visibility,
	}).Into(t, &project)
	s.project, s.group = fmt.Sprintf("/projects/%d", project.ID), fmt.Sprintf("/groups/%d", group.ID)
	r := s.Do(t, s.RootToken, "POST", s.project+"/members", map[string]any{"user_id": s.by.ID, "access_level": 40})
	require.Equal(t, 201, r.Status, "%s", r.Body)
	s.source = s.URL + s.project + "/packages/nuget" + index
	s.write("NuGet.Config", fmt.Sprintf(`<?xml version="1.0"?>
<configuration>
  <packageSources>
    <clear />
    <add key="hew" value="%s" />
    <add key="group" value="%s" />
  </packageSources>
  <packageSourceCredentials>
    <hew><add key="Username" value="%[3]s" /><add key="ClearTextPassword" value="%[4]s" /></hew>
    <group><add key="Username" value="%[3]s" /><add key="ClearTextPassword" value="%[4]s" /></group>
  </packageSourceCredentials>
</configuration>
`, s.source, s.URL+s.group+"/-/packages/nuget"+index, s.by.Username, s.by.Token))
	return s
}

func (s *stock) write(name, text string) {
	s.t.Helper()
	require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600))
}

// pack writes a package, or symbols, and returns the name of the file.
func (s *stock) pack(id, version, ending, more, content string) string {
	s.t.Helper()
	text := servertest.Zip(map[string]string{
		id + ".nuspec":         fmt.Sprintf(stockManifest, id, version, more),
		"lib/net45/" + content: content,
		"_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/` + id +
			`.nuspec" Id="R1" /></Relationships>`,
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />` +
			`<Default Extension="nuspec" ContentType="application/octet" />` +
			`<Default Extension="txt" ContentType="application/octet" />` +
			`<Default Extension="pdb" ContentType="application/octet" /></Types>`,
	})
	name := id + "." + version + ending
	s.write(name, string(text))
	return name
}

// try runs the client and returns what it says, and whether it did what it was told to.
func (s *stock) try(args ...string) (said string, done bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mono", append([]string{s.program}, args...)...)
	cmd.Dir = s.dir
	// The client lists its help for ever where it knows no terminal.
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "TERM=dumb", "XDG_DATA_HOME="+s.dir, "NUGET_PACKAGES="+s.dir+"/cache")
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, ctx.Err(), "nuget %s: %s", args, out)
	s.t.Logf("nuget %s: %v\n%s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	return string(out), err == nil
}

// run runs the client, which must succeed, and returns what it says.
func (s *stock) run(args ...string) string {
	s.t.Helper()
	said, done := s.try(args...)
	require.True(s.t, done, "nuget %s: %s", args, said)
	return said
}

// has reports whether the client has stored a file.
func (s *stock) has(path string) bool {
	_, err := os.Stat(filepath.Join(s.dir, path))
	return err == nil
}

// files returns the names of the files of a version of Acme.Core.
func (s *stock) files(version string) (names []string) {
	s.t.Helper()
	var packages []struct{ ID int64 }
	at := s.project + "/packages"
	s.Do(s.t, s.by.Token, "GET", at+"?package_name=Acme.Core&package_version="+url.QueryEscape(version), nil).
		Into(s.t, &packages)
	for _, p := range packages {
		var files []struct {
			Name string `json:"file_name"`
		}
		s.Do(s.t, s.by.Token, "GET", fmt.Sprintf("%s/%d/package_files", at, p.ID), nil).Into(s.t, &files)
		for _, f := range files {
			names = append(names, f.Name)
		}
	}
	return names
}

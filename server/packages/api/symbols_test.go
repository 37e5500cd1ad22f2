package api_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// signature is that of portablePDB: a GUID, whose first three parts are swapped, and the age.
const signature = "497B72F6390A44FC878E5A2D63B6CC4BFFFFFFFF"

// portablePDB returns a file of symbols and its checksum, for which its id is zeros.
func portablePDB() (file []byte, checksum string) {
	id := "\xf6\x72\x7b\x49\x0a\x39\xfc\x44\x87\x8e\x5a\x2d\x63\xb6\xcc\x4b\x01\x02\x03\x04"
	build := func(id string) []byte {
		out := []byte("BSJB\x01\x00\x01\x00\x00\x00\x00\x00\x0c\x00\x00\x00PDB v1.0\x00\x00\x00\x00\x00\x00\x01\x00")
		out = binary.LittleEndian.AppendUint32(out, uint32(len(out)+16))
		out = binary.LittleEndian.AppendUint32(out, 32)
		return append(out, "#Pdb\x00\x00\x00\x00"+id+strings.Repeat("\x00", 12)...)
	}
	sum := sha256.Sum256(build(strings.Repeat("\x00", 20)))
	return build(id), hex.EncodeToString(sum[:])
}

// Debuggers get symbols by name, signature and checksum, in any case, without credentials, if the
// group serves them.
func TestSymbols(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	file, checksum := portablePDB()
	whole := pack("Acme.Core", "1.0.0")
	p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed"), whole)
	snupkg := zipped(map[string]string{
		"a.nuspec":            manifest("<id>acme.CORE</id><version>1.0</version>" + symbols),
		"lib/net8.0/Acme.pdb": string(file), "lib/net48/Old.pdb": "Microsoft C/C++ MSF 7.00\r\n",
	})
	p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed/symbolpackage"), snupkg)
	sums := header("Symbolchecksum", "SHA256:"+strings.Repeat("0", 64)+",SHA256:"+checksum)
	capitals := header("Symbolchecksum", "SHA256:"+strings.ToUpper(checksum))
	path := "/symbolfiles/Acme.pdb/" + signature + "/Acme.pdb"
	require.Equal(t, 403, p.ask("GET", p.at("/pkgfeed"+path), nil, sums).Status)
	p.settings(map[string]any{"nuget_symbol_server_enabled": true})
	for _, prefix := range []string{p.at("/pkgfeed"), p.at("/nuget"), p.feed(""),
		fmt.Sprintf("/groups/%d/-/packages/nuget", p.group.ID)} {
		for _, form := range []string{path, strings.ToLower(path)} {
			r := p.ask("GET", prefix+form, nil, sums)
			require.Equal(t, 200, r.Status, "%s: %s", prefix+form, r.Body)
			require.Equal(t, file, r.Body)
			require.Equal(t, 200, p.ask("GET", prefix+form, nil, capitals).Status)
		}
		r := p.ask("GET", prefix+path, nil)
		require.Equal(t, 400, r.Status)
		require.Contains(t, string(r.Body), "Missing checksum header")
		long := header("Symbolchecksum", "SHA512:"+checksum+checksum)
		require.Equal(t, 400, p.ask("GET", prefix+path, nil, long).Status)
		differs := strings.Replace(path, "/Acme.pdb", "/Other.pdb", 1)
		require.Equal(t, 404, p.ask("GET", prefix+differs, nil, sums).Status)
		other := header("Symbolchecksum", "SHA256:"+strings.Repeat("0", 64))
		require.Equal(t, 404, p.ask("GET", prefix+path, nil, other).Status)
		require.Equal(t, 404, p.ask("GET", prefix+strings.Replace(path, "49", "48", 1), nil, sums).Status)
	}
	require.Equal(t, 404, p.ask("GET", p.at("/pkgfeed/symbolfiles/Old.pdb/"+signature+"/Old.pdb"), nil, sums).Status)
	r := p.do(200, p.reporter.Token, "GET", p.at("/pkgfeed/metadata/acme.core/1.0.0.json"), nil)
	require.Contains(t, string(r.Body), "acme.core.1.0.0.nupkg", "not the symbols (GitLab MR 64803)")
	require.NotContains(t, string(r.Body), "snupkg")
	download := func(ending string) []byte {
		path := p.at("/pkgfeed/download/acme.core/1.0.0/acme.core.1.0.0" + ending)
		return p.do(200, p.reporter.Token, "GET", path, nil).Body
	}
	require.Equal(t, whole.Content, download(".nupkg"))
	require.Equal(t, snupkg.Content, download(".snupkg"))
	p.settings(map[string]any{"nuget_duplicates_allowed": false})
	p.do(409, p.owner.Token, "PUT", p.at("/pkgfeed"), whole)
	p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed/symbolpackage"), snupkg)
	require.Equal(t, whole.Content, download(".nupkg"))
	p.do(204, p.owner.Token, "DELETE", p.at("/pkgfeed/acme.core/1.0.0"), nil)
	require.Equal(t, 404, p.ask("GET", p.at("/pkgfeed"+path), nil, sums).Status)
}

// Symbols are those of the project or group in the address, if it has packages and if the nearest
// group with settings serves them.
func TestSymbolPlaces(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	file, checksum := portablePDB()
	sub, aside := p.newGroup("sub", map[string]any{"parent_id": p.group.ID}), p.newGroup("testsymbolplaces-2", nil)
	deep, other := p.newProject("deep", sub), p.newProject("other", p.group)
	at := func(kind string, of servertest.Made) string {
		between := "/packages"
		if kind == "groups" {
			between = "/-/packages"
		}
		return fmt.Sprintf("/%s/%d%s/pkgfeed", kind, of.ID, between)
	}
	p.do(201, p.owner.Token, "PUT", at("projects", deep), pack("Acme.Core", "1.0.0"))
	p.do(201, p.owner.Token, "PUT", at("projects", deep)+"/symbolpackage", zipped(map[string]string{
		"a.nuspec": manifest("<id>Acme.Core</id><version>1.0.0</version>" + symbols), "Acme.pdb": string(file),
	}))
	for _, g := range []servertest.Made{p.group, aside} {
		p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/groups/%d/package_settings", g.ID),
			map[string]any{"nuget_symbol_server_enabled": true})
	}
	get := func(want int, kind string, of servertest.Made) {
		t.Helper()
		r := p.ask("GET", at(kind, of)+"/symbolfiles/Acme.pdb/"+signature+"/Acme.pdb", nil,
			header("Symbolchecksum", "SHA256:"+checksum))
		require.Equal(t, want, r.Status, "%s", r.Body)
	}
	get(200, "projects", deep)
	get(200, "groups", sub)
	get(200, "groups", p.group)
	get(404, "projects", other)
	get(404, "groups", aside)
	enable := func(enabled bool) {
		p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/groups/%d/package_settings", sub.ID),
			map[string]any{"nuget_symbol_server_enabled": enabled})
	}
	enable(false)
	get(403, "projects", deep)
	get(403, "groups", sub)
	get(404, "groups", p.group)
	enable(true)
	get(200, "projects", deep)
	p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d", deep.ID), map[string]any{"packages_enabled": false})
	get(404, "projects", deep)
	get(404, "groups", sub)
}

// The size of a project's packages is counted, symbols by themselves too, and the time of the last
// download is noted.
func TestStatistics(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	size := func() int64 {
		n, err := db.Value[int64](t.Context(), p.s.Store, `select packages_size from projects where id = @id`,
			pgx.NamedArgs{"id": p.project.ID})
		require.NoError(t, err)
		return n
	}
	body := pack("Acme.Core", "1.0.0")
	p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed"), body)
	p.do(201, p.owner.Token, "PUT", p.at("/generic/t/1/f"), "12345")
	p.do(201, p.owner.Token, "PUT", p.at("/generic/t/1/g"), "123")
	require.Equal(t, int64(len(body.Content)+8), size())
	generic := p.packages("&package_type=generic")[0]
	file := p.at(fmt.Sprintf("/%d/package_files/%d", generic.ID, p.files(generic.ID)[0].ID))
	p.do(204, p.owner.Token, "DELETE", file, nil)
	require.Equal(t, int64(len(body.Content)+3), size())
	p.do(204, p.owner.Token, "DELETE", p.at(fmt.Sprint("/", generic.ID)), nil)
	require.Equal(t, int64(len(body.Content)), size())
	portable, _ := portablePDB()
	snupkg := zipped(map[string]string{
		"a.nuspec": manifest("<id>Acme.Core</id><version>1.0.0</version>" + symbols), "a.pdb": string(portable),
	})
	p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed/symbolpackage"), snupkg)
	require.Equal(t, int64(len(body.Content)+len(snupkg.Content)+len(portable)), size())
	files := p.files(p.packages("")[0].ID)
	last := fmt.Sprintf("/%d/package_files/%d", p.packages("")[0].ID, files[len(files)-1].ID)
	p.do(204, p.owner.Token, "DELETE", p.at(last), nil)
	require.Equal(t, int64(len(body.Content)), size())
	var shown struct {
		LastDownloadedAt *string `json:"last_downloaded_at"`
	}
	one := p.at(fmt.Sprint("/", p.packages("")[0].ID))
	p.do(200, p.owner.Token, "GET", one, nil).Into(t, &shown)
	require.Nil(t, shown.LastDownloadedAt)
	p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/download/acme.core/1.0.0/acme.core.1.0.0.nupkg"), nil)
	p.do(200, p.owner.Token, "GET", one, nil).Into(t, &shown)
	require.NotNil(t, shown.LastDownloadedAt)
}

// A package that is larger than the plan allows is refused, and nothing of it stays.
func TestFileSize(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	p.do(200, p.s.RootToken, "PUT", "/application/plan_limits?plan_name=default&nuget_max_file_size=10", nil)
	r := p.do(400, p.owner.Token, "PUT", p.at("/pkgfeed"), pack("Acme.Core", "1.0.0"))
	require.Contains(t, string(r.Body), "400 Bad request - File is too large")
	p.requireEmpty()
}

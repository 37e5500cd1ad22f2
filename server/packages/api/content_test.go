package api_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/servertest"
)

// zipped returns the upload of an archive with files.
func zipped(files map[string]string) servertest.Upload {
	return servertest.Upload{Field: "package", Name: "a.nupkg", Content: servertest.Zip(files)}
}

func manifest(metadata string) string {
	return "<package><metadata>" + metadata + "</metadata></package>"
}

// overlapping is a package in which a thousand entries are the same compressed content.
func overlapping(manifest string) servertest.Upload {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	write := func(name, text string) {
		f, _ := w.Create(name)       // in memory
		_, _ = f.Write([]byte(text)) // likewise
	}
	write("a.nuspec", manifest)
	for i := range 1000 {
		text := ""
		if i == 0 {
			text = strings.Repeat(" ", 1<<20)
		}
		write(fmt.Sprintf("lib/%03d.dll", i), text)
	}
	_ = w.Close() // likewise
	content := archive.Bytes()
	const offset, first = 42, "lib/000.dll"
	var shared []byte // the offset of the entry that has content
	for at := bytes.Index(content, []byte("PK\x01\x02")); at >= 0 && at < len(content); {
		record := content[at:]
		if !bytes.HasPrefix(record, []byte("PK\x01\x02")) {
			break
		}
		name := record[46:][:binary.LittleEndian.Uint16(record[28:])]
		switch {
		case string(name) == first:
			shared = bytes.Clone(record[16:28]) // checksum and sizes
			shared = append(shared, record[offset:offset+4]...)
		case shared != nil:
			copy(record[16:28], shared)
			copy(record[offset:], shared[12:])
		}
		at += 46 + len(name) + int(binary.LittleEndian.Uint16(record[30:]))
	}
	return servertest.Upload{Field: "package", Name: "package", Content: content}
}

// A bad package is refused with a reason, and nothing of it stays: no package, and no content after
// the sweep.
func TestBadPackages(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	good := manifest("<id>Acme.Core</id><version>1.0.0</version>")
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		body servertest.Upload
		says string
	}{
		"no archive":  {servertest.Upload{Field: "package", Name: "a", Content: []byte("text")}, "invalid package file"},
		"empty":       {servertest.Upload{Field: "package", Name: "a"}, "invalid package file"},
		"no manifest": {zipped(map[string]string{"a.txt": ""}), "nuspec file not found"},
		"below":       {zipped(map[string]string{"lib/a.nuspec": good}), "nuspec file not found"},
		"outside":     {zipped(map[string]string{"../a.nuspec": good}), "nuspec file not found"},
		"a bomb":      {zipped(map[string]string{"a.nuspec": strings.Repeat(" ", 100<<20)}), "nuspec file too big"},
		"overlapping": {overlapping(good), "invalid package file"},
		"no XML":      {zipped(map[string]string{"a.nuspec": "text"}), ""},
		"an entity": {zipped(map[string]string{"a.nuspec": `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` +
			manifest("<id>&e;</id><version>1.0.0</version>")}), ""},
		"billion laughs": {zipped(map[string]string{"a.nuspec": `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` +
			manifest("<id>A&b;</id><version>1.0.0</version>")}), ""},
		"no name":     {pack("", "1.0.0"), "package name and/or package version not found in metadata"},
		"a slash":     {pack("a/b", "1.0.0"), "package name is invalid"},
		"dots":        {pack("..", "1.0.0"), "package name is invalid"},
		"a long name": {pack(long, "1.0.0"), "package name is invalid"},
		"unicode":     {pack("Äcme", "1.0.0"), "package name is invalid"},
		"a version":   {pack("Acme", "1.0.0/../2"), "package version is invalid"},
		"zeros":       {pack("Acme", "1.00.0"), "package version is invalid"},
		"long dependency": {pack("Acme", "1.0.0",
			`<dependencies><dependency id="`+long+`" version="1.0"/></dependencies>`), "dependencies"},
		"symbols alone": {pack("Acme", "1.0.0", symbols), "matching package does not exist"},
	} {
		for _, path := range []string{"/pkgfeed", "/pkgfeed/v2", "/pkgfeed/symbolpackage"} {
			r := p.ask("PUT", p.at(path), c.body, basic("x", p.owner.Token))
			require.Equal(t, 400, r.Status, "%s: %s", name, r.Body)
			var said map[string]any
			require.NoError(t, json.Unmarshal(r.Body, &said), name)
			require.NotEmpty(t, said, name)
			if path != "/pkgfeed/symbolpackage" {
				require.Contains(t, string(r.Body), c.says, name)
			}
		}
	}
	p.requireEmpty()
}

// Bad symbols are refused with a reason, and nothing of them stays. The symbols of a package that a
// rule protects from the caller are not even stored for a while.
func TestBadSymbols(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	p.push("Acme.Core", "1.0.0")
	nuspec := manifest("<id>Acme.Core</id><version>1.0.0</version>" + symbols)
	portable, _ := portablePDB()
	many := []string{"a.nuspec", nuspec}
	for n := range 101 {
		many = append(many, fmt.Sprintf("lib/%d.pdb", n), "")
	}
	good := servertest.ZipOf("a.nuspec", nuspec, "lib/a.pdb", string(portable))
	damaged := bytes.Clone(good)
	damaged[bytes.LastIndex(damaged, []byte("PK\x01\x02"))+16] ^= 0xff // the checksum
	for name, c := range map[string]struct {
		content []byte
		says    string
	}{
		"too many":       {servertest.ZipOf(many...), "too many symbol entries"},
		"a bomb":         {servertest.ZipOf("a.nuspec", nuspec, "a.pdb", strings.Repeat(" ", 50<<20)), "symbol files too big"},
		"damaged":        {damaged, "invalid package file"},
		"of another one": {servertest.ZipOf("a.nuspec", strings.Replace(nuspec, "1.0.0", "2.0.0", 1)), "matching package"},
	} {
		r := p.do(400, p.owner.Token, "PUT", p.at("/pkgfeed/symbolpackage"),
			servertest.Upload{Field: "package", Name: "a.snupkg", Content: c.content})
		require.Contains(t, string(r.Body), c.says, name)
	}
	p.rule("Acme.*", "nuget", "push", "maintainer")
	body := servertest.Upload{Field: "package", Name: "a.snupkg", Content: good}
	p.do(403, p.developer.Token, "PUT", p.at("/pkgfeed/symbolpackage"), body)
	stored, err := db.Value[bool](t.Context(), p.s.Store, `select exists (select from blobs where size = @size)`,
		pgx.NamedArgs{"size": len(portable)})
	require.NoError(t, err)
	require.False(t, stored, "the symbols of a package that is protected from the caller")
	p.do(204, p.owner.Token, "DELETE", p.at("/pkgfeed/acme.core/1.0.0"), nil)
	p.requireEmpty()
}

// requireEmpty fails unless the server keeps no package and, once it has swept, no content of one.
func (p shop) requireEmpty() {
	p.Helper()
	p.age()
	left, err := db.Value[string](p.Context(), p.s.Store, `
		select concat_ws(' ', (select count(*) from packages), (select count(*) from package_files),
		    (select count(*) from nuget_symbols), (select count(*) from blobs),
		    (select packages_size from projects where id = @id))`, pgx.NamedArgs{"id": p.project.ID})
	require.NoError(p, err)
	require.Equal(p, "0 0 0 0 0", left, "packages, files, symbols, blobs, bytes")
}

// age sweeps as if a day had passed.
func (p shop) age() {
	p.Helper()
	for _, sql := range []string{
		`update blobs set used_at = used_at - interval '2 days'`,
		`update blob_uploads set touched_at = touched_at - interval '2 days'`,
	} {
		require.NoError(p, p.s.Store.Exec(p.Context(), sql, nil))
	}
	rest, err := blob.Sweep(p.Context(), p.s.Store, 0, time.Now().Add(time.Minute))
	require.NoError(p, err)
	require.Nil(p, rest)
}

// An upload that breaks off leaves nothing.
func TestBrokenUploads(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	form, kind, err := pack("Acme.Core", "1.0.0").Form()
	require.NoError(t, err)
	whole := form.Bytes()
	at, err := url.Parse(p.s.URL)
	require.NoError(t, err)
	raw := func(path, kind string, length int, body []byte) string {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", at.Host)
		require.NoError(t, err)
		defer c.Close()
		_, err = fmt.Fprintf(c, "PUT %s%s HTTP/1.1\r\nHost: h\r\nPRIVATE-TOKEN: %s\r\nContent-Type: %s\r\n"+
			"Content-Length: %d\r\nConnection: close\r\n\r\n%s", at.Path, p.at(path), p.owner.Token, kind, length, body)
		require.NoError(t, err)
		if len(body) < length {
			require.NoError(t, c.(*net.TCPConn).CloseWrite())
		}
		answer, _ := io.ReadAll(c)
		return string(answer)
	}
	for n := range 10 {
		cut := len(whole) * n / 10
		require.NotContains(t, raw("/pkgfeed", kind, len(whole), whole[:cut]), " 201 ", cut)
		require.NotContains(t, raw("/pkgfeed", kind, cut, whole[:cut]), " 201 ", cut)
		require.NotContains(t, raw("/generic/tool/1/f", "", 100, bytes.Repeat([]byte("x"), n)), " 201 ", cut)
	}
	require.Contains(t, raw("/pkgfeed", kind, len(whole)/2, whole[:len(whole)/2]), " 400 ", "a wrong length")
	require.Contains(t, raw("/pkgfeed", "multipart/form-data", len(whole), whole), " 400 ", "no boundary")
	require.Contains(t, raw("/pkgfeed", "text/plain", len(whole), whole), " 400 ", "no form")
	p.requireEmpty()
}

// Two manifests: the first counts. A manifest in UTF-16, with a mark, is read as well
// (jfrog/build-info-go#231, snyk/cli#2443). Other files are not unpacked. A package is sent as it
// came, with its signature.
func TestOddPackages(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	utf16 := []byte{0xff, 0xfe}
	wide := `<?xml version="1.0" encoding="utf-16"?>` + manifest("<id>Acme.Wide</id><version>1.0.0</version>")
	for _, r := range wide {
		utf16 = append(utf16, byte(r), 0)
	}
	of := func(name string) string { return manifest("<id>" + name + "</id><version>1.0.0</version>") }
	broken := servertest.ZipOf("a.nuspec", of("Acme.Broken"), "readme.md", strings.Repeat("text ", 100))
	broken[bytes.Index(broken, []byte("readme.md"))+len("readme.md")] ^= 0xff
	for name, content := range map[string][]byte{
		"Acme.Wide":    servertest.ZipOf("a.nuspec", string(utf16)),
		"Acme.Mark":    servertest.ZipOf("a.nuspec", "\xef\xbb\xbf"+of("Acme.Mark")),
		"Acme.Capital": servertest.ZipOf("A.NUSPEC", of("Acme.Capital")),
		"Acme.First":   servertest.ZipOf("z.nuspec", of("Acme.First"), "a.nuspec", of("Acme.Second")),
		"Acme.Signed":  servertest.ZipOf("a.nuspec", of("Acme.Signed"), ".signature.p7s", "\x30\x82 signature"),
		"Acme.Big":     servertest.ZipOf("a.nuspec", of("Acme.Big"), "readme.md", strings.Repeat(" ", 50<<20)),
		"Acme.Broken":  broken,
	} {
		body := servertest.Upload{Field: "package", Name: "a.nupkg", Content: content}
		p.do(201, p.owner.Token, "PUT", p.at("/pkgfeed"), body)
		lower := strings.ToLower(name)
		r := p.do(200, p.reporter.Token, "GET", p.at("/pkgfeed/download/"+lower+"/1.0.0/"+lower+".1.0.0.nupkg"), nil)
		require.Equal(t, body.Content, r.Body, name)
		require.Equal(t, "application/octet-stream", r.Header.Get("Content-Type"))
		require.Equal(t, "attachment; filename="+lower+".1.0.0.nupkg", r.Header.Get("Content-Disposition"))
	}
}

package api_test

import (
	"archive/tar"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/setting"
)

// What is wrong with an archive ends its import with a text, and leaves nothing of it elsewhere.
func TestHostileArchives(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "bob")
	for _, limit := range []string{"project_import_limit"} {
		require.NoError(t, setting.Set(t.Context(), i.s.Store, limit, 0))
	}
	require.NoError(t, setting.Set(t.Context(), i.s.Store, "max_decompressed_archive_size", 4))
	good, commits := bundle(t)
	small := []entry{{name: "./VERSION", content: "0.2.4"}, {name: "./tree/project.json", content: `{}`}}
	with := func(more ...entry) string { return pack(t, append(more, small...)) }
	for n, tt := range []struct{ name, archive, want string }{
		{"no archive", "PK\x03\x04", "The archive is not a gzip tar, or it is damaged"},
		{"cut short", with()[:60], "The archive is not a gzip tar, or it is damaged"},
		{"other version", pack(t, []entry{{name: "./VERSION", content: "0.1.6"}}),
			"Import version mismatch: Required 0.2.4 but was 0.1.6"},
		{"odd version", pack(t, []entry{{name: "./VERSION", content: "<b>"}}), "Incorrect VERSION format"},
		{"no version", pack(t, []entry{{name: "./x"}}), "Incorrect VERSION format"},
		{"no tree", pack(t, []entry{{name: "./VERSION", content: "0.2.4"}}), "invalid import format"},
		{"no project", pack(t, []entry{{name: "./VERSION", content: "0.2.4"}, {name: "./tree/project/x.ndjson"}}),
			"Invalid file"},
		{"project is no JSON", pack(t, []entry{
			{name: "VERSION", content: "0.2.4"}, {name: "tree/project.json", content: `[`},
		}),
			"Incorrect JSON format"},
		{"leads out", with(entry{name: "../../evil", content: "x"}), `Invalid path "../../evil" in the archive`},
		{"absolute", with(entry{name: "/etc/evil", content: "x"}), `Invalid path "/etc/evil" in the archive`},
		{"hard link", with(entry{name: "./x", kind: tar.TypeLink, link: "/etc/passwd"}), "File shares hard link"},
		{"bomb", with(entry{name: "./tree/project/issues.ndjson", content: strings.Repeat("a", 5<<20)}),
			"Decompressed archive size validation failed."},
		{"bundle is no bundle", with(entry{name: "./project.bundle", content: "#!/bin/sh\n"}),
			"the bundle cannot be stored: the file is not a git bundle"},
		{"bundle is a pointer", with(entry{name: "./project.bundle",
			content: "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"}),
			"the bundle cannot be stored: the file is a pointer of Git LFS; the archive was made without its content"},
		{"bundle without objects", with(entry{name: "./project.bundle", content: "# v2 git bundle\n" +
			strings.Repeat("1", 40) + " refs/heads/main\n\nPACK"}), "the bundle cannot be stored: "},
		{"bundle that is cut short", with(entry{name: "./project.bundle", content: good[:len(good)-40]}),
			"the bundle cannot be stored: "},
		{"bundle with a prerequisite", with(entry{name: "./project.bundle", content: "# v2 git bundle\n-" +
			commits["base"] + " x\n" + commits["merge"] + " refs/heads/main\n\n"}),
			"the bundle cannot be stored: the bundle is not complete: it needs commits of another repository"},
		{"bundle of SHA-256", with(entry{name: "./project.bundle", content: "# v3 git bundle\n@object-format=sha256\n"}),
			`the bundle cannot be stored: the bundle needs "object-format=sha256", which is not supported`},
		{"bundle with a long line", with(entry{name: "./project.bundle",
			content: "# v2 git bundle\n" + strings.Repeat("a", 1<<20)}),
			"the bundle cannot be stored: the bundle has a line that is too long"},
	} {
		r := i.bring(i.user.Token, tt.archive, map[string]string{"path": fmt.Sprint("p", n)})
		require.Equal(t, "failed", r.Status, tt.name)
		require.NotNil(t, r.Error, tt.name)
		require.Contains(t, *r.Error, tt.want, tt.name)
		require.NotContains(t, *r.Error, "/tmp", tt.name)
	}

	// Odd entries are left out, and the rest is imported.
	r := i.bring(i.user.Token, with(
		entry{name: "./uploads", kind: tar.TypeSymlink, link: "/etc"},
		entry{name: "./pipe", kind: tar.TypeFifo},
		entry{name: "./avatar/x.png", content: "not a picture"},
		entry{name: "./lfs-objects/" + strings.Repeat("a", 64), content: "other content"},
		entry{name: "./tree/project/labels.ndjson", content: `{"title":"a\u0000b","color":"#fff"}` + "\n\n" +
			`{"title":"` + strings.Repeat("x", 300) + `"}`},
		entry{name: "./tree/project/issues.ndjson", content: `{"iid":99999999999,"title":"x"}` + "\n" +
			`{"iid":1,"title":"ok","author_id":1,"milestone":{"title":""},"notes":[{"note":"Hi","author_id":1}],` +
			`"epic_issue":{"epic":{"title":"none"}},"relative_position":99999999999999}` + "\n" + `{"iid":2}`},
		entry{name: "./tree/project/project_members.ndjson",
			content: `{"access_level":50,"user_id":1,"user":{"id":1,"username":"root","public_email":"admin@example.com"}}`},
		entry{name: "./tree/project/snippets.ndjson", content: `{"id":3,"title":"a\u0000b","file_name":"x.txt","content":"x"}`},
	), map[string]string{"path": "odd"})
	require.Nil(t, r.Error)
	require.Equal(t, "finished", r.Status)
	require.Equal(t, []string{
		"labels:2 RecordInvalid: title: is too long (maximum is 255 characters)",
		"issues:0 RecordInvalid: iid: 99999999999 is not a number from 1 to 2147483647",
		"issues:2 RecordInvalid: title: can't be blank",
		"avatar:0 RecordInvalid: avatar must be one of the file types",
		"lfs-objects:0 RecordInvalid: SHA256 or size mismatch",
	}, shortened(r.failures()))
	var snippets []struct{ Title string }
	i.get(i.user.Token, r.ID, "/snippets", &snippets)
	require.Len(t, snippets, 1)
	require.Equal(t, "ab", snippets[0].Title)
	var members []struct{ Username string }
	i.get(i.user.Token, r.ID, "/members/all", &members)
	require.Len(t, members, 1, "foreign ids are nobody's")
	var issue struct{ Author struct{ Username string } }
	i.get(i.user.Token, r.ID, "/issues/1", &issue)
	require.Equal(t, "bob", issue.Author.Username)
}

// shortened cuts the list of types off the text about avatars.
func shortened(list []string) []string {
	for n, text := range list {
		if strings.HasPrefix(text, "avatar:") {
			list[n] = "avatar:0 RecordInvalid: avatar must be one of the file types"
		}
	}
	return list
}

package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/servertest"
)

const (
	picture = "\x89PNG\r\n\x1a\n and more"
	drawing = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
)

// site is a group and a project of alice, and another user.
type site struct {
	*servertest.Server
	t               *testing.T
	alice, stranger servertest.Persona
	holders         []string // the paths of the group and the project below the API
}

func newSite(t *testing.T, name, visibility string) site {
	s := servertest.Start(t)
	b := site{Server: s, t: t, alice: s.User(t, name), stranger: s.User(t, name+"-stranger")}
	var g, p struct{ ID int64 }
	s.Do(t, b.alice.Token, "POST", "/groups", map[string]any{
		"name": name, "path": name + "-group", "visibility": visibility,
	}).Into(t, &g)
	s.Do(t, b.alice.Token, "POST", "/projects", map[string]any{
		"name": name, "namespace_id": g.ID, "visibility": visibility,
	}).Into(t, &p)
	b.holders = []string{fmt.Sprintf("/groups/%d", g.ID), fmt.Sprintf("/projects/%d", p.ID)}
	return b
}

// send sends a request to an address of the server.
func (b site) send(token, method, address, kind string, body io.Reader) servertest.Reply {
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.Server.Server.URL()+address, body)
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", kind)
	if token != "" {
		r.Header.Set("PRIVATE-TOKEN", token)
	}
	reply, err := http.DefaultClient.Do(r)
	require.NoError(b.t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	require.NoError(b.t, err)
	return servertest.Reply{Status: reply.StatusCode, Header: reply.Header, Body: text}
}

func (b site) get(token, address string) servertest.Reply {
	return b.send(token, "GET", address, "", nil)
}

// upload sends a file as a form.
func (b site) upload(token, holder, field, name, content string) servertest.Reply {
	return b.Do(b.t, token, "POST", holder+"/uploads", servertest.Upload{
		Field: field, Name: name, Content: []byte(content),
	})
}

// made is the answer to an upload.
type made struct {
	ID                           int64
	Alt, URL, FullPath, Markdown string
}

func (b site) made(holder, name, content string) (m made) {
	reply := b.upload(b.alice.Token, holder, "file", name, content)
	require.Equal(b.t, 201, reply.Status, "%s", reply.Body)
	var v struct {
		made
		FullPath string `json:"full_path"`
	}
	require.NoError(b.t, json.Unmarshal(reply.Body, &v))
	v.made.FullPath = v.FullPath
	return v.made
}

// A file is uploaded and read by all its addresses. Only pictures are shown, whatever the name
// says.
func TestUploads(t *testing.T) {
	t.Parallel()
	b := newSite(t, "theuploads", "private")
	for _, holder := range b.holders {
		for _, f := range []struct{ name, content, kept, markdown, disposition, kind string }{
			{"dk.png", picture, "dk.png", "![dk](%s)", "inline; filename=dk.png", "image/png"},
			{"my notes.txt", "Notes", "my_notes.txt", "[my_notes.txt](%s)", "attachment; filename=my_notes.txt", ""},
			{"a.svg", drawing, "a.svg", "![a](%s)", "attachment; filename=a.svg", ""},
			{"page.png", "<script>", "page.png", "![page](%s)", "attachment; filename=page.png", ""},
			{"none", "", "none", "[none](%s)", "attachment; filename=none", ""},
			{`..\..\.x](y`, "x", "x_y", "[x_y](%s)", "attachment; filename=x_y", ""},
		} {
			m := b.made(holder, f.name, f.content)
			require.Regexp(t, `^/uploads/[0-9a-f]{32}/`+f.kept+`$`, m.URL)
			require.Equal(t, fmt.Sprintf(f.markdown, m.URL), m.Markdown)
			require.Equal(t, "/-"+strings.Replace(holder, "s/", "/", 1)+m.URL, m.FullPath)
			named := fmt.Sprintf("/groups/theuploads-group/-%s", m.URL)
			if strings.HasPrefix(holder, "/projects") {
				named = "/theuploads-group/theuploads" + m.URL
			}
			api := "/api/v4" + holder
			for _, address := range []string{api + m.URL, fmt.Sprintf("%s/uploads/%d", api, m.ID), m.FullPath, named} {
				reply := b.get(b.alice.Token, address)
				require.Equal(t, 200, reply.Status, address)
				require.Equal(t, f.content, string(reply.Body))
				require.Equal(t, f.disposition, reply.Header.Get("Content-Disposition"))
				require.Equal(t, "nosniff", reply.Header.Get("X-Content-Type-Options"))
				kind := f.kind
				if kind == "" {
					kind = "application/octet-stream"
				}
				require.Equal(t, kind, reply.Header.Get("Content-Type"))
				require.Equal(t, 404, b.get(b.stranger.Token, address).Status, address)
				require.Contains(t, []int{401, 404}, b.get("", address).Status, address)
			}
		}
		var list []struct {
			ID         int64
			Filename   string
			Size       int64
			UploadedBy struct{ Username string } `json:"uploaded_by"`
		}
		b.get(b.alice.Token, "/api/v4"+holder+"/uploads?per_page=2&page=2").Into(t, &list)
		require.Len(t, list, 2)
		require.Equal(t, "a.svg", list[0].Filename)
		require.Equal(t, int64(len(drawing)), list[0].Size)
		require.Equal(t, "theuploads", list[0].UploadedBy.Username)
	}
}

// Secrets are of one group or project: an upload of another one is not found.
func TestUploadsOfOthers(t *testing.T) {
	t.Parallel()
	b := newSite(t, "otheruploads", "public")
	of := b.made(b.holders[0], "x.txt", "x")
	for _, path := range []string{of.URL, fmt.Sprintf("/uploads/%d", of.ID)} {
		address := "/api/v4" + b.holders[1] + path
		require.Equal(t, 404, b.get(b.alice.Token, address).Status)
		require.Equal(t, 404, b.send(b.alice.Token, "DELETE", address, "", nil).Status)
	}
	require.Equal(t, 200, b.get("", "/api/v4"+b.holders[0]+of.URL).Status, "the group is public")
	require.Equal(t, 201, b.upload(b.stranger.Token, b.holders[1], "file", "x", "x").Status, "as with comments")
	require.Equal(t, 403, b.upload(b.stranger.Token, b.holders[0], "file", "x", "x").Status)
	require.Equal(t, 401, b.upload("", b.holders[1], "file", "x", "x").Status)
}

// Forms without a file, and files that are too large, store nothing.
func TestUploadsThatAreRefused(t *testing.T) {
	t.Parallel()
	b := newSite(t, "baduploads", "private")
	project := b.holders[1]
	address := "/api/v4" + project + "/uploads"
	for _, form := range []struct{ kind, body string }{
		{"application/json", `{"file":"x"}`}, {"multipart/form-data", ""},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n"},
		{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nx"},
		{"multipart/form-data; boundary=b", "--b--\r\n"},
	} {
		reply := b.send(b.alice.Token, "POST", address, form.kind, strings.NewReader(form.body))
		require.Equal(t, 400, reply.Status, "%q: %s", form.body, reply.Body)
	}
	b.Do(t, b.RootToken, "PUT", "/application/settings", map[string]any{"max_attachment_size": 1})
	require.Equal(t, 413, b.upload(b.alice.Token, project, "file", "x", strings.Repeat("x", 1<<20+1)).Status)
	require.Equal(t, 413, b.upload(b.alice.Token, project, "file", "x", strings.Repeat("x", 3<<20)).Status)
	require.Equal(t, 201, b.upload(b.alice.Token, project, "file", "x", strings.Repeat("x", 1<<20)).Status)
	require.Equal(t, "[{", string(b.get(b.alice.Token, address).Body[:2]))
	var list []struct{ ID int64 }
	b.get(b.alice.Token, address).Into(t, &list)
	require.Len(t, list, 1)
}

// An upload that is deleted, by itself or with its project, counts no more, and its content is
// swept.
func TestDeletedUploads(t *testing.T) {
	t.Parallel()
	b := newSite(t, "goneuploads", "private")
	ctx, project := t.Context(), b.holders[1]
	content := "only here: " + t.Name()
	size := func() int64 {
		var p struct {
			Statistics struct {
				UploadsSize int64 `json:"uploads_size"`
			}
		}
		b.get(b.alice.Token, "/api/v4"+project+"?statistics=true").Into(t, &p)
		return p.Statistics.UploadsSize
	}
	first, second, third := b.made(project, "x", content), b.made(project, "x", content), b.made(project, "y", content)
	require.NotEqual(t, first.URL, second.URL)
	require.Equal(t, int64(3*len(content)), size())

	require.Equal(t, 204, b.send(b.alice.Token, "DELETE", "/api/v4"+project+first.URL, "", nil).Status)
	require.Equal(t, 404, b.send(b.alice.Token, "DELETE", "/api/v4"+project+first.URL, "", nil).Status)
	byID := fmt.Sprintf("/api/v4%s/uploads/%d", project, second.ID)
	require.Equal(t, 204, b.send(b.alice.Token, "DELETE", byID, "", nil).Status)
	require.Equal(t, 404, b.get(b.alice.Token, second.FullPath).Status)
	require.Equal(t, 200, b.get(b.alice.Token, third.FullPath).Status, "the others keep the content")
	require.Equal(t, int64(len(content)), size())

	blobID, err := db.Value[int64](ctx, b.Store, `select blob_id from uploads where id = @id`,
		pgx.NamedArgs{"id": third.ID})
	require.NoError(t, err)
	id := strings.TrimPrefix(project, "/projects/")
	require.NoError(t, b.Store.Exec(ctx, `delete from projects where id = `+id, nil))
	require.NoError(t, b.Store.Exec(ctx, `update blobs set used_at = now() - interval '2 days' where id = @id`,
		pgx.NamedArgs{"id": blobID}))
	_, err = blob.Sweep(ctx, b.Store, blobID-1, time.Now().Add(time.Minute))
	require.NoError(t, err)
	_, err = blob.Load(ctx, b.Store, blobID)
	require.Error(t, err)
}

package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// form is a multipart request body with an avatar, and the other parameters.
func form(t *testing.T, file string, content []byte, params map[string]string) (kind string, body *bytes.Buffer) {
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for name, value := range params {
		require.NoError(t, w.WriteField(name, value))
	}
	part, err := w.CreateFormFile("avatar", file)
	require.NoError(t, err)
	_, err = part.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return w.FormDataContentType(), body
}

// fetch sends a request that servertest has no form for.
func fetch(t *testing.T, token, method, url, kind string, body io.Reader) servertest.Reply {
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", kind)
	if token != "" {
		r.Header.Set("PRIVATE-TOKEN", token)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return servertest.Reply{Status: resp.StatusCode, Header: resp.Header, Body: text}
}

func dot(t *testing.T) []byte {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))))
	return b.Bytes()
}

type pictured struct {
	ID        int64   `json:"id"`
	AvatarURL *string `json:"avatar_url"`
	Namespace struct {
		AvatarURL *string `json:"avatar_url"`
	} `json:"namespace"`
}

// An avatar is uploaded with its group or project, is visible to everyone who can see that, and is
// removed by an empty parameter.
func TestAvatars(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user, stranger := s.User(t, "avatars"), s.User(t, "avatars-stranger")
	picture := dot(t)

	var g, p pictured
	kind, body := form(
		t, `C:\my logo.png`, picture, map[string]string{"name": "avatars-group", "path": "avatars-group"},
	)
	fetch(t, user.Token, "POST", s.URL+"/groups", kind, body).Into(t, &g)
	require.NotNil(t, g.AvatarURL)
	require.Equal(t, fmt.Sprintf("%s/uploads/-/system/group/avatar/%d/my_logo.png", s.Server.URL(), g.ID), *g.AvatarURL)

	kind, body = form(
		t, "p.png", picture, map[string]string{"name": "avatars-project", "namespace_id": fmt.Sprint(g.ID)},
	)
	fetch(t, user.Token, "POST", s.URL+"/projects", kind, body).Into(t, &p)
	require.NotNil(t, p.AvatarURL)
	require.Equal(t, g.AvatarURL, p.Namespace.AvatarURL)

	for _, url := range []string{*g.AvatarURL, *p.AvatarURL, fmt.Sprintf("%s/groups/%d/avatar", s.URL, g.ID)} {
		got := fetch(t, user.Token, "GET", url, "", nil)
		require.Equal(t, 200, got.Status, url)
		require.Equal(t, picture, got.Body)
		require.Equal(t, "image/png", got.Header.Get("Content-Type"))
		require.Equal(t, "nosniff", got.Header.Get("X-Content-Type-Options"))
		require.Equal(t, 404, fetch(t, stranger.Token, "GET", url, "", nil).Status, url)
		require.Equal(t, 404, fetch(t, "", "GET", url, "", nil).Status, url)
	}

	group, project := fmt.Sprintf("%s/groups/%d", s.URL, g.ID), fmt.Sprintf("%s/projects/%d", s.URL, p.ID)
	kind, body = form(t, "other.png", picture, nil)
	fetch(t, user.Token, "PUT", project, kind, body).Into(t, &p)
	require.True(t, strings.HasSuffix(*p.AvatarURL, "/other.png"))
	s.Do(t, user.Token, "PUT", fmt.Sprintf("/projects/%d", p.ID), map[string]any{"description": "x"}).Into(t, &p)
	require.True(t, strings.HasSuffix(*p.AvatarURL, "/other.png"), "another change keeps it")

	for _, url := range []string{group, project} {
		reply := fetch(t, user.Token, "PUT", url, "application/x-www-form-urlencoded", strings.NewReader("avatar="))
		var v pictured
		reply.Into(t, &v)
		require.Nil(t, v.AvatarURL)
		require.Equal(t, 404, fetch(t, user.Token, "GET", url+"/avatar", "", nil).Status)
	}
}

func TestAvatarsAreHeldToSizeAndType(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "avatars-bad")
	var g pictured
	s.Do(t, user.Token, "POST", "/groups", map[string]any{"name": "avatars-bad", "path": "avatars-bad-group"}).Into(
		t, &g,
	)
	group := fmt.Sprintf("%s/groups/%d", s.URL, g.ID)
	for name, tt := range map[string]struct {
		content []byte
		status  int
		text    string
	}{
		"as large as may be": {append(dot(t), make([]byte, 200<<10-len(dot(t)))...), 200, "large.png"},
		"too large":          {append(dot(t), make([]byte, 200<<10)...), 400, "is too big (should be at most 200 KiB)"},
		"a page by name.png": {[]byte("<script>alert(1)</script>"), 400, "file format is not supported"},
		"a drawing": {
			[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 400, "file format is not supported",
		},
		"nothing": {nil, 400, "file format is not supported"},
	} {
		kind, body := form(t, "large.png", tt.content, nil)
		reply := fetch(t, user.Token, "PUT", group, kind, body)
		require.Equal(t, tt.status, reply.Status, "%s: %s", name, reply.Body)
		require.Contains(t, string(reply.Body), tt.text, name)
	}
	kind, body := form(t, "x.png", nil, map[string]string{"name": "avatars-worse", "path": "avatars-worse"})
	reply := fetch(t, user.Token, "POST", s.URL+"/groups", kind, body)
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), "Failed to save group {:avatar=>")
	require.Equal(
		t, 404, s.Do(t, user.Token, "GET", "/groups/avatars-worse", nil).Status, "nothing is made without its picture",
	)
}

// Users and topics have avatars, too. Everybody sees those of users.
func TestAvatarsOfUsersAndTopics(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "avatars-user")
	var u, topic pictured
	kind, body := form(t, "me.png", dot(t), nil)
	fetch(t, user.Token, "PUT", s.URL+"/user/avatar", kind, body).Into(t, &u)
	require.Equal(t, fmt.Sprintf("%s/uploads/-/system/user/avatar/%d/me.png", s.Server.URL(), user.ID), *u.AvatarURL)
	mine := *u.AvatarURL
	s.Do(t, user.Token, "GET", "/user", nil).Into(t, &u)
	require.Equal(t, mine, *u.AvatarURL)

	kind, body = form(t, "go.png", dot(t), map[string]string{"name": "avatars-go", "title": "Go"})
	fetch(t, s.RootToken, "POST", s.URL+"/topics", kind, body).Into(t, &topic)
	at := fmt.Sprintf("%s/uploads/-/system/projects/topic/avatar/%d/go.png", s.Server.URL(), topic.ID)
	require.Equal(t, at, *topic.AvatarURL)
	for _, url := range []string{mine, *topic.AvatarURL} {
		got := fetch(t, "", "GET", url, "", nil)
		require.Equal(t, 200, got.Status, url)
		require.Equal(t, dot(t), got.Body)
		require.Equal(t, "inline; filename="+url[strings.LastIndex(url, "/")+1:], got.Header.Get("Content-Disposition"))
	}

	byEmail := s.URL + "/avatar?email=AVATARS@example.org"
	require.JSONEq(t, `{"avatar_url":null}`, string(fetch(t, "", "GET", byEmail, "", nil).Body), "it is not public")
	path := fmt.Sprintf("%s/users/%d", s.URL, user.ID)
	kind, body = form(t, "other.png", dot(t), map[string]string{"public_email": "avatars@example.org"})
	fetch(t, s.RootToken, "PUT", path, kind, body).Into(t, &u)
	require.True(t, strings.HasSuffix(*u.AvatarURL, "/other.png"))
	require.JSONEq(t, `{"avatar_url":"`+*u.AvatarURL+`"}`, string(fetch(t, "", "GET", byEmail, "", nil).Body))

	for _, tt := range []struct{ token, method, url string }{
		{s.RootToken, "PUT", path}, {user.Token, "PUT", s.URL + "/user/avatar"},
		{s.RootToken, "PUT", fmt.Sprintf("%s/topics/%d", s.URL, topic.ID)},
	} {
		kind, body = form(t, "x.png", []byte("<svg/>"), nil)
		reply := fetch(t, tt.token, tt.method, tt.url, kind, body)
		require.Equal(t, 400, reply.Status, tt.url)
		require.Contains(t, string(reply.Body), "file format is not supported")
		reply = fetch(t, tt.token, tt.method, tt.url, "application/x-www-form-urlencoded", strings.NewReader("avatar="))
		require.Equal(t, 200, reply.Status, "%s: %s", tt.url, reply.Body)
		require.Contains(t, string(reply.Body), `"avatar_url":null`)
	}
	require.Equal(t, 404, fetch(t, "", "GET", *topic.AvatarURL, "", nil).Status)
}

// Those who set the avatar of one group at once all succeed, and one of the pictures is there.
func TestAvatarsSetAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.User(t, "avatars-rush")
	var wait sync.WaitGroup
	for i := range 5 {
		kind, body := form(t, fmt.Sprintf("%d.png", i), append(dot(t), byte(i)), nil)
		wait.Go(func() {
			assert.Equal(t, 200, fetch(t, user.Token, "PUT", s.URL+"/user/avatar", kind, body).Status)
		})
	}
	wait.Wait()
	var u pictured
	s.Do(t, user.Token, "GET", "/user", nil).Into(t, &u)
	got := fetch(t, "", "GET", *u.AvatarURL, "", nil)
	require.Equal(t, 200, got.Status)
	name := (*u.AvatarURL)[strings.LastIndex(*u.AvatarURL, "/")+1:]
	require.Equal(t, fmt.Sprintf("%d.png", got.Body[len(got.Body)-1]), name, "the name is that of the picture")
}

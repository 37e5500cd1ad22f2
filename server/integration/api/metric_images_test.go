package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// fetch sends a body to an address and returns the answer.
func fetch(t *testing.T, method, url, authorization, kind string, body []byte) servertest.Reply {
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Authorization", authorization)
	r.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return servertest.Reply{Status: resp.StatusCode, Header: resp.Header, Body: text}
}

// upload returns the type and the body of a request with a file.
func upload(t *testing.T, name string, content []byte, params map[string]string) (string, []byte) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for key, value := range params {
		require.NoError(t, w.WriteField(key, value))
	}
	part, err := w.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = part.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return w.FormDataContentType(), body.Bytes()
}

// dot returns a picture of one pixel.
func dot(t *testing.T) []byte {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))))
	return b.Bytes()
}

type shownImage struct {
	ID       int64   `json:"id"`
	Filename string  `json:"filename"`
	FilePath string  `json:"file_path"`
	URL      *string `json:"url"`
	URLText  *string `json:"url_text"`
}

// Images of metrics are uploaded, listed, changed, read and deleted.
func TestMetricImages(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, "metric-images", nil)
	m.report(`{"title":"Load"}`)
	path := m.path + "/alert_management_alerts/1/metric_images"
	kind, body := upload(t, `C:\my load.png`, dot(t), map[string]string{"url": "https://example.com/load",
		"url_text": "Load"})
	reply := fetch(t, "POST", m.URL+path, "Bearer "+m.token, kind, body)
	require.Equal(t, 201, reply.Status, "%s", reply.Body)
	var i shownImage
	reply.Into(t, &i)
	require.Equal(t, "my_load.png", i.Filename)
	require.Equal(t, "https://example.com/load", *i.URL)
	require.Equal(t, "Load", *i.URLText)

	file := fetch(t, "GET", m.Server.Server.URL()+i.FilePath, "Bearer "+m.token, "", nil)
	require.Equal(t, 200, file.Status)
	require.Equal(t, dot(t), file.Body)
	require.Equal(t, "image/png", file.Header.Get("Content-Type"))
	stranger := m.User(t, "metric-images-stranger")
	require.Equal(t, 404, fetch(t, "GET", m.Server.Server.URL()+i.FilePath, "Bearer "+stranger.Token, "", nil).Status)

	var list []shownImage
	m.Do(t, m.token, "GET", path, nil).Into(t, &list)
	require.Equal(t, []shownImage{i}, list)
	one := fmt.Sprintf("%s/%d", path, i.ID)
	m.Do(t, m.token, "PUT", one, map[string]any{"url_text": "CPU", "url": ""}).Into(t, &i)
	require.Equal(t, "CPU", *i.URLText)
	require.Nil(t, i.URL)
	require.Equal(t, 400, m.Do(t, m.token, "PUT", one, map[string]any{"url": "javascript:alert(1)"}).Status)
	require.Equal(t, 204, m.Do(t, m.token, "DELETE", one, nil).Status)
	require.Equal(t, 404, m.Do(t, m.token, "DELETE", one, nil).Status)
}

// Uploads are held to their size and to types that no browser runs.
func TestMetricImagesAreHeldToSizeAndType(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, "metric-images-bad", nil)
	m.report(`{"title":"Load"}`)
	const most = 1 << 20
	for name, tt := range map[string]struct {
		content []byte
		params  map[string]string
		status  int
		says    string
	}{
		"as large as may be": {append(dot(t), make([]byte, most-len(dot(t)))...), nil, 201, ""},
		"too large":          {append(dot(t), make([]byte, most)...), nil, 400, "File is too large"},
		"far too large":      {make([]byte, 10*most), nil, 413, ""},
		"a page":             {[]byte("<script>alert(1)</script>"), nil, 400, "file format is not supported"},
		"a drawing":          {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), nil, 400, "is not supported"},
		"nothing":            {nil, nil, 400, "file format is not supported"},
		"a script as URL":    {dot(t), map[string]string{"url": "javascript:alert(1)"}, 400, "must be a valid URL"},
		"a long text": {dot(t), map[string]string{"url_text": fmt.Sprint(make([]int, 100))}, 400,
			"is too long (maximum is 128 characters)"},
	} {
		kind, body := upload(t, "x.png", tt.content, tt.params)
		reply := fetch(t, "POST", m.URL+m.path+"/alert_management_alerts/1/metric_images", "Bearer "+m.token, kind, body)
		require.Equal(t, tt.status, reply.Status, "%s: %s", name, reply.Body)
		require.Contains(t, string(reply.Body), tt.says, name)
	}
}

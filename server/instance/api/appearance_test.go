package api_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

func TestAppearancePictures(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	put := func(field, name, begins string, size int) (int, string) {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile(field, name)
		require.NoError(t, err)
		_, err = part.Write(append([]byte(begins), bytes.Repeat([]byte{7}, size-len(begins))...))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		r, err := http.NewRequestWithContext(t.Context(), "PUT", s.URL+"/application/appearance", &body)
		require.NoError(t, err)
		r.Header.Set("Content-Type", w.FormDataContentType())
		r.Header.Set("Private-Token", s.RootToken)
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		require.NoError(t, err)
		return reply.StatusCode, string(text)
	}
	const png, gif, webp, ico, svg = "\x89PNG\r\n\x1a\n", "GIF89a", "RIFF1234WEBP", "\x00\x00\x01\x00",
		"<svg onload='alert(1)'/>"
	for _, c := range []struct {
		field, name, begins string
		want                string
	}{
		{"logo", "logo.PNG", png, `"logo":"/uploads/-/system/appearance/logo/1/logo.PNG"`},
		{"header_logo", "../a/b.webp", webp, `"header_logo":"/uploads/-/system/appearance/header_logo/1/b.webp"`},
		{"pwa_icon", "i.gif", gif, `"logo":"/uploads/-/system/appearance/logo/1/logo.PNG"`},
		{"favicon", "f", ico, `"favicon":"/uploads/-/system/appearance/favicon/1/f"`},
	} {
		status, body := put(c.field, c.name, c.begins, 1<<20)
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, body, c.want)
	}
	for _, c := range []struct {
		field, name, begins string
		size                int
		want                string
	}{
		{"logo", "logo.png", png, 1<<20 + 1, `{"message":{"logo":["is too big (should be at most 1 MB)"]}}`},
		{"favicon", "f.ico", gif, 100,
			`{"message":{"favicon":["file format is not supported. Please try one of the following supported formats: image/png, image/vnd.microsoft.icon"]}}`},
		{"logo", "logo.png", svg, 100,
			`{"message":{"logo":["file format is not supported. Please try one of the following supported formats: image/png, image/jpeg, image/gif, image/webp, image/bmp, image/tiff, image/vnd.microsoft.icon"]}}`},
	} {
		status, body := put(c.field, c.name, c.begins, c.size)
		require.Equal(t, http.StatusBadRequest, status)
		require.Equal(t, c.want, body)
	}
	r := s.Do(t, s.RootToken, "PUT", "/application/appearance", map[string]any{"logo": nil, "favicon": ""})
	require.Contains(t, string(r.Body), `"logo":null`)
	require.Contains(t, string(r.Body), `"favicon":null`)
	require.Contains(t, string(r.Body), `"pwa_icon":"/uploads/`)
}

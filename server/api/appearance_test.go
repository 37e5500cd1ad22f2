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
	put := func(field, name string, size int) (int, string) {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreateFormFile(field, name)
		require.NoError(t, err)
		_, err = part.Write(bytes.Repeat([]byte{7}, size))
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
	for _, c := range []struct {
		field, name string
		size        int
		want        string
	}{
		{"logo", "logo.PNG", 1 << 20, `"logo":"/uploads/-/system/appearance/logo/1/logo.PNG"`},
		{"header_logo", "../a/b.webp", 1, `"header_logo":"/uploads/-/system/appearance/header_logo/1/b.webp"`},
		{"pwa_icon", "i.gif", 1, `"logo":"/uploads/-/system/appearance/logo/1/logo.PNG"`},
		{"favicon", "f.ico", 1, `"favicon":"/uploads/-/system/appearance/favicon/1/f.ico"`},
	} {
		status, body := put(c.field, c.name, c.size)
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, body, c.want)
	}
	for _, c := range []struct {
		field, name string
		size        int
		want        string
	}{
		{"logo", "logo.png", 1<<20 + 1, `{"message":{"logo":["is too big (should be at most 1 MB)"]}}`},
		{"favicon", "f.gif", 1, `{"message":{"favicon":["You are not allowed to upload \"gif\" files, allowed types: png, ico"]}}`},
		{"logo", "logo", 1, `{"message":{"logo":["You are not allowed to upload \"\" files, allowed types: png, jpg, jpeg, gif, bmp, tiff, ico, webp"]}}`},
	} {
		status, body := put(c.field, c.name, c.size)
		require.Equal(t, http.StatusBadRequest, status)
		require.Equal(t, c.want, body)
	}
	r := s.Do(t, s.RootToken, "PUT", "/application/appearance", map[string]any{"logo": nil, "favicon": ""})
	require.Contains(t, string(r.Body), `"logo":null`)
	require.Contains(t, string(r.Body), `"favicon":null`)
	require.Contains(t, string(r.Body), `"pwa_icon":"/uploads/`)
}

package rest_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/rest"
)

func TestDecodeMultipart(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // more than is kept in memory
	for _, content := range [][]byte{[]byte("small"), large} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		for _, pair := range [][2]string{{"name", "ä"}, {"vars[][key]", "a"}, {"vars[][value]", "1"},
			{"vars[][key]", "b"}} {
			require.NoError(t, w.WriteField(pair[0], pair[1]))
		}
		part, err := w.CreateFormFile("avatar", "../me.png")
		require.NoError(t, err)
		_, err = part.Write(content)
		require.NoError(t, err)
		require.NoError(t, w.Close())

		r := httptest.NewRequest(http.MethodPut, "/?search=s", &body)
		r.Header.Set("Content-Type", w.FormDataContentType())
		in, err := rest.Decode[everything](r)
		require.NoError(t, err)
		require.Equal(t, "ä", in.Name)
		require.Equal(t, "s", in.Search)
		require.Equal(t, []variable{{"a", "1"}, {"b", ""}}, in.Vars)

		f, ok := in.Avatar.Value()
		require.True(t, ok)
		require.Equal(t, "me.png", f.Name)
		require.EqualValues(t, len(content), f.Size)
		for range 2 { // it can be read again
			got, err := io.ReadAll(f.Open())
			require.NoError(t, err)
			require.True(t, bytes.Equal(content, got))
		}
	}
}

// Text lies in memory, and so there may be less of it than of files and streams, whichever way it
// comes.
func TestTextIsShort(t *testing.T) {
	t.Parallel()
	const (
		form, parts = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
		text        = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n%s\r\n"
		file        = "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"f\"\r\n\r\n%s\r\n"
	)
	half := strings.Repeat("x", 2<<20)
	for _, tt := range []struct {
		contentType, body string
		want              fault.Code
	}{
		{"application/json", `{"name":"` + half + `"}`, ""},
		{"application/json", `{"name":"` + half + half + `"}`, fault.CodeTooLarge},
		{form, "name=" + half, ""},
		{form, "name=" + half + half, fault.CodeTooLarge},
		{"", "name=" + half + half, fault.CodeTooLarge},
		{parts, fmt.Sprintf(text+text+"--b--", half, half), ""},
		{parts, fmt.Sprintf(text+text+text+"--b--", half, half, "x"), fault.CodeTooLarge},
		{parts, fmt.Sprintf(text+file+"--b--", half, half+half), ""},
	} {
		for _, body := range []io.Reader{strings.NewReader(tt.body), io.MultiReader(strings.NewReader(tt.body))} {
			r := httptest.NewRequest(http.MethodPost, "/", body) // of known length, and of one that is not
			r.Header.Set("Content-Type", tt.contentType)
			_, err := rest.Decode[everything](r)
			require.Equal(t, tt.want, fault.CodeOf(err), "%.80q: %v", tt.contentType+" "+tt.body, err)
		}
	}
}

func TestDecodeBrokenMultipart(t *testing.T) {
	t.Parallel()
	const head = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n"
	tests := []struct{ contentType, body string }{
		{"multipart/form-data", ""},
		{"multipart/form-data; boundary=b", head + "cut off"},
		{"multipart/form-data; boundary=b", head + "\x00\r\n--b--"},
		{"multipart/form-data; boundary=b", strings.Replace(head, `"name"`, "\"\xff\"", 1) + "x\r\n--b--"},
		{"multipart/form-data; boundary=b", strings.Replace(head, `"name"`, `"name"; filename="f"`, 1) + "cut off"},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodPost, "/", io.MultiReader(strings.NewReader(tt.body)))
		r.Header.Set("Content-Type", tt.contentType)
		_, err := rest.Decode[everything](r)
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%q", tt.body)
	}
}

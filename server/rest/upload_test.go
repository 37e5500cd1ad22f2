package rest

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
)

// TestUploadEnd: the last boundary of a form may follow a bare line feed, and has to be there.
func TestUploadEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("content\r\n", 10_000)
	for name, c := range map[string]struct {
		tail string
		ok   bool
	}{
		"as it should be": {"\r\n--b--\r\n", true}, "without a line after it": {"\r\n--b--", true},
		"a line feed": {"\n--b--", true}, "line feeds": {"\n--b--\n", true},
		"none": {"", false}, "cut": {"\n--b-", false}, "of another form": {"\n--c--", false},
	} {
		for _, content := range []string{"", "x", long} {
			text := "--b\r\nContent-Disposition: form-data; name=\"package\"; filename=\"a\"\r\n\r\n" + content + c.tail
			for _, body := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
				u, err := Body{
					Reader: body, Header: http.Header{"Content-Type": {"multipart/form-data; boundary=b"}},
				}.Upload("package")
				require.NoError(t, err, name)
				got, err := io.ReadAll(u)
				require.Equal(t, c.ok, err == nil, "%s: %v", name, err)
				if c.ok {
					require.Equal(t, content, string(got), name)
				}
			}
		}
	}
}

// TestUploadFields: fields before the file are read up to a limit, and never cut.
func TestUploadFields(t *testing.T) {
	t.Parallel()
	for size, ok := range map[int]bool{0: true, maxFormField: true, maxFormField + 1: false} {
		value := strings.Repeat("x", size)
		u, err := Body{
			Reader: strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"expire_in\"\r\n\r\n" + value +
				"\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n"),
			Header: http.Header{"Content-Type": {"multipart/form-data; boundary=b"}},
		}.Upload("file")
		if ok {
			require.NoError(t, err)
			require.Equal(t, value, u.Fields["expire_in"])
			continue
		}
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
		require.ErrorContains(t, err, `form field "expire_in" is too long (maximum is 65536 bytes)`)
	}
}

package rest

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
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

package pkt_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/pkt"
)

func TestReaderReadsWhatWriterWrites(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := pkt.NewWriter(&out)
	long := strings.Repeat("x", pkt.MaxData)
	require.NoError(t, w.Line("hello"))
	require.NoError(t, w.Linef("%d", 7))
	require.NoError(t, w.Data([]byte(long)))
	require.NoError(t, w.Data(nil))
	require.NoError(t, w.Delim())
	require.NoError(t, w.ResponseEnd())
	require.NoError(t, w.Flush())
	require.EqualError(t, w.Data([]byte(long+"x")), "a pkt-line of 65517 bytes: the limit is 65516")
	require.True(t, strings.HasPrefix(out.String(), "000ahello\n00067\nfff0xxx"))
	require.ErrorContains(t, w.Flush(), "a pkt-line of 65517 bytes", "an answer without that line is not the answer")
	out.WriteString("PACK")

	r := pkt.NewReader(&out, pkt.Limits{})
	for _, want := range []struct {
		kind pkt.Kind
		text string
	}{
		{pkt.Data, "hello"}, {pkt.Data, "7"}, {pkt.Data, long}, {pkt.Data, ""},
		{pkt.Delim, ""}, {pkt.ResponseEnd, ""}, {pkt.Flush, ""},
	} {
		kind, text, err := r.Line()
		require.NoError(t, err)
		require.Equal(t, want.kind, kind)
		require.Equal(t, want.text, text)
	}
	rest, err := io.ReadAll(r.Rest())
	require.NoError(t, err)
	require.Equal(t, "PACK", string(rest))
}

func TestReaderRefuses(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"":         "EOF",
		"00":       "unexpected EOF",
		"0008abc":  "unexpected EOF",
		"0003":     "a pkt-line has length 3: want 4 to 65520",
		"fff1":     "a pkt-line has length 65521: want 4 to 65520",
		"ffff":     "a pkt-line has length 65535: want 4 to 65520",
		"-001":     `"-001" is not the length of a pkt-line: want four hexadecimal digits`,
		"0x05":     `"0x05" is not the length of a pkt-line: want four hexadecimal digits`,
		"GET ":     `"GET " is not the length of a pkt-line: want four hexadecimal digits`,
		"\x00\x00": "unexpected EOF",
	} {
		_, _, err := pkt.NewReader(strings.NewReader(input), pkt.Limits{}).Next()
		require.EqualError(t, err, want, "%q", input)
	}
}

func TestReaderIsBounded(t *testing.T) {
	t.Parallel()
	endless := io.MultiReader(strings.NewReader("0006ab0006cd0006ef00000000"))
	r := pkt.NewReader(endless, pkt.Limits{Bytes: 4})
	for range 2 {
		_, _, err := r.Next()
		require.NoError(t, err)
	}
	_, _, err := r.Next()
	require.ErrorIs(t, err, pkt.ErrTooLong)

	r = pkt.NewReader(strings.NewReader("000000000000"), pkt.Limits{Lines: 2})
	for range 2 {
		_, _, err := r.Next()
		require.NoError(t, err)
	}
	_, _, err = r.Next()
	require.ErrorIs(t, err, pkt.ErrTooLong)
}

type brokenPipe struct{ writes int }

func (b *brokenPipe) Write([]byte) (int, error) {
	b.writes++
	return 0, fmt.Errorf("write %d", b.writes)
}

func TestWriterKeepsItsError(t *testing.T) {
	t.Parallel()
	out := &brokenPipe{}
	w := pkt.NewWriter(out)
	require.EqualError(t, w.Line("x"), "write 1")
	require.EqualError(t, w.Flush(), "write 1")
	require.Equal(t, 1, out.writes)
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("0006ab000100020000"))
	f.Add([]byte(push))
	f.Add([]byte("0014command=ls-refs\n0001000cpeel\n0000"))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := pkt.Limits{Lines: 100, Bytes: 1000}
		p, err := pkt.ReadPush(pkt.NewReader(bytes.NewReader(data), limits))
		if err == nil {
			require.LessOrEqual(t, len(p.Commands)+len(p.Options)+len(p.Shallow), limits.Lines)
		}
		request, err := pkt.ReadRequest(pkt.NewReader(bytes.NewReader(data), limits))
		if err == nil {
			require.LessOrEqual(t, len(request.Arguments)+len(request.Capabilities), limits.Lines)
		}
	})
}

package pkt_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
	"hew/server/git/pkt"
)

const (
	zero = "0000000000000000000000000000000000000000"
	one  = "1111111111111111111111111111111111111111"
)

// push is a push from a shallow clone.
var push = lines("shallow "+one+"\n", zero+" "+one+" refs/heads/a\x00 report-status agent=x",
	one+" "+zero+" refs/heads/b c") + "0000"

func lines(texts ...string) string {
	var out bytes.Buffer
	w := pkt.NewWriter(&out)
	for _, text := range texts {
		if err := w.Data([]byte(text)); err != nil {
			panic(err)
		}
	}
	return out.String()
}

func TestReadPush(t *testing.T) {
	t.Parallel()
	id, err := object.ParseID(one)
	require.NoError(t, err)
	p, err := pkt.ReadPush(pkt.NewReader(strings.NewReader(push), pkt.Limits{}))
	require.NoError(t, err)
	require.Equal(t, pkt.Push{
		Commands:     []pkt.Command{{New: id, Ref: "refs/heads/a"}, {Old: id, Ref: "refs/heads/b c"}},
		Capabilities: pkt.Capabilities{"report-status", "agent=x"},
		Shallow:      []object.ID{id},
	}, p)

	probe, err := pkt.ReadPush(pkt.NewReader(strings.NewReader("0000"), pkt.Limits{}))
	require.NoError(t, err)
	require.Equal(t, pkt.Push{}, probe)
}

func TestReadPushRefuses(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"":                                "read push: unexpected EOF",
		lines(zero + " " + one + " a"):    "read push: unexpected EOF",
		lines(zero+" "+one+" a") + "0001": "read push: the commands do not end with a flush packet",
		lines(zero+" "+one+" a") + "0002": "read push: the request has a packet that only answers have",
		lines(zero+" "+one+" ") + "0000": `read push: "` + zero + " " + one +
			` " is not a command: want old id, new id and ref`,
		lines("push-cert\x00 x") +
			"0000": "read push: signed pushes are not supported: push without --signed",
		lines("shallow x") +
			"0000": `read push: "x" is not an object id: want 40 hexadecimal digits`,
		lines("x "+one+" a") +
			"0000": `read push: "x" is not an object id: want 40 hexadecimal digits`,
		lines(one+" x a") +
			"0000": `read push: "x" is not an object id: want 40 hexadecimal digits`,
		lines(zero+" "+one+" a\x00push-options") + "0000": "read push: unexpected EOF",
	} {
		_, err := pkt.ReadPush(pkt.NewReader(strings.NewReader(input), pkt.Limits{}))
		require.EqualError(t, err, want, "%q", input)
	}
}

func TestReadRequestRefuses(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"":                              "EOF",
		"0000":                          "EOF",
		"0001":                          `read request: it begins with "": want command=`,
		lines("x"):                      `read request: it begins with "x": want command=`,
		lines("command=fetch"):          "read request: unexpected EOF",
		lines("command=fetch") + "0001": "read request: unexpected EOF",
		"00":                            "read request: unexpected EOF",
	} {
		_, err := pkt.ReadRequest(pkt.NewReader(strings.NewReader(input), pkt.Limits{}))
		require.EqualError(t, err, want, "%q", input)
	}
}

// A client that waits hears something now and then, between packets and not within them.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		band := pkt.NewSideBand(pkt.NewWriter(&out))
		stop := band.KeepAlive(5 * time.Second)
		time.Sleep(11 * time.Second)
		stop()
		time.Sleep(time.Minute)
		_, err := band.Write([]byte("ok"))
		require.NoError(t, err)
		require.Equal(t, "0005\x010005\x010007\x01ok", out.String())
	})
}

func TestSideBandSplits(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	band := pkt.NewSideBand(pkt.NewWriter(&out))
	data := bytes.Repeat([]byte("0123456789"), 20_000)
	n, err := band.Write(data)
	require.NoError(t, err)
	require.Equal(t, len(data), n)
	require.NoError(t, band.Fatal("Out of space."))
	require.NoError(t, band.Flush())

	r := pkt.NewReader(&out, pkt.Limits{})
	var got []byte
	for {
		kind, packet, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, pkt.Data, kind)
		if packet[0] != 1 {
			require.Equal(t, "\x03Out of space.\n", string(packet))
			break
		}
		got = append(got, packet[1:]...)
	}
	require.Equal(t, data, got)
	kind, _, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, pkt.Flush, kind)
}

func TestReadPushBoundsOptions(t *testing.T) {
	t.Parallel()
	head := lines(zero+" "+one+" a\x00push-options") + "0000"
	read := func(options ...string) (pkt.Push, error) {
		return pkt.ReadPush(pkt.NewReader(strings.NewReader(head+lines(options...)+"0000"), pkt.Limits{}))
	}
	p, err := read("ci.skip", "a=b")
	require.NoError(t, err)
	require.Equal(t, []string{"ci.skip", "a=b"}, p.Options)
	const want = "read push: a push may have 1000 push options of 65536 bytes together"
	_, err = read(make([]string, 1001)...)
	require.EqualError(t, err, want)
	_, err = read(strings.Repeat("x", 40_000), strings.Repeat("x", 40_000))
	require.EqualError(t, err, want)
}

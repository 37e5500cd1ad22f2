package remote_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
	"hew/server/git/remote"
	"hew/server/outbound"
)

var local = remote.Host{Guard: &outbound.Guard{}, Policy: outbound.Policy{Local: true}}

const (
	id    = "1111111111111111111111111111111111111111"
	other = "2222222222222222222222222222222222222222"
)

// lines returns text in pkt-lines; "0000" stays as it is.
func lines(list ...string) string {
	var b strings.Builder
	for _, line := range list {
		if line == "0000" {
			b.WriteString(line)
			continue
		}
		fmt.Fprintf(&b, "%04x%s", len(line)+4, line)
	}
	return b.String()
}

// serve answers with a text for the refs, and with another one for a pack.
func serve(t *testing.T, refs, pack string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, text := "advertisement", refs
		if r.Method == http.MethodPost {
			kind, text = "result", pack
		}
		w.Header().Set("Content-Type", "application/x-git-upload-pack-"+kind)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/a.git"
}

const service = "# service=git-upload-pack\n"

func TestRefs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, words, head string }{
		{"named", "side-band-64k symref=HEAD:refs/heads/trunk", "trunk"},
		{"found by its commit", "side-band-64k", "main"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := remote.Open(t.Context(), local, serve(t, lines(service, "0000",
				id+" HEAD\x00"+tt.words+"\n", id+" refs/heads/main\n", other+" refs/heads/trunk\n",
				id+" refs/merge-requests/1/head\n", other+" refs/tags/v1\n", id+" refs/tags/v1^{}\n", "0000"), ""))
			require.NoError(t, err)
			require.Equal(t, tt.head, r.Head)
			var names []string
			for _, ref := range r.Refs {
				names = append(names, ref.Name)
			}
			require.Equal(t, []string{"refs/heads/main", "refs/heads/trunk", "refs/tags/v1"}, names)
		})
	}
}

// TestAnswers: an answer that makes no sense is an error for users, and never a panic.
func TestAnswers(t *testing.T) {
	t.Parallel()
	head := id + " refs/heads/main\x00side-band-64k\n"
	for _, tt := range []struct{ name, refs, pack, want string }{
		{"nothing", "", "", "the transfer broke off: EOF"},
		{"text", "hello world", "", `the transfer broke off: "hell" is not the length of a pkt-line: ` +
			"want four hexadecimal digits"},
		{"another service", lines("# service=git-receive-pack\n", "0000"), "",
			"the transfer broke off: it begins with \"# service=git-receive-pack\": want # service=git-upload-pack"},
		{"no flush", lines(service, head), "", "the transfer broke off: a flush packet is missing after the name of the service"},
		{"cut", lines(service, "0000", head), "", "the transfer broke off: unexpected EOF"},
		{"bad id", lines(service, "0000", "xyz refs/heads/main\x00side-band-64k\n", "0000"), "", "the transfer broke off"},
		{"error", lines(service, "0000", "ERR go\x1b[31m away\nnow\n"), "", "the host ended the transfer: go[31m away"},
		{"sha256", lines(service, "0000", strings.Repeat("1", 64)+" HEAD\x00object-format=sha256\n", "0000"), "",
			"the repository uses SHA-256 object ids, which this server does not store"},
		{"shallow", lines(service, "0000", head, "shallow "+id+"\n", "0000"), "",
			"the repository is shallow: it does not have its whole history"},
		{"old", lines(service, "0000", id+" refs/heads/main\x00ofs-delta\n", "0000"), "",
			"the host speaks a version of git's protocol that is too old"},
		{"no pack", lines(service, "0000", head, "0000"), "", "the transfer broke off: EOF"},
		{"no NAK", lines(service, "0000", head, "0000"), lines("ACK " + id + "\n"),
			"the transfer broke off: a NAK is missing before the pack"},
		{"refused", lines(service, "0000", head, "0000"), lines("ERR upload-pack: not our ref\n"),
			"the host ended the transfer: upload-pack: not our ref"},
		{"given up", lines(service, "0000", head, "0000"), lines("NAK\n", "\x01PACK", "\x03out of memory\n"),
			"the host ended the transfer: out of memory"},
		{"pack cut", lines(service, "0000", head, "0000"), lines("NAK\n", "\x01PACK"),
			"the transfer broke off: unexpected EOF"},
		{"band", lines(service, "0000", head, "0000"), lines("NAK\n", "\x07PACK"),
			"the transfer broke off: a packet of the answer has an unknown band"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := fetch(t.Context(), serve(t, tt.refs, tt.pack))
			var said remote.Error
			require.ErrorAs(t, err, &said)
			require.ErrorContains(t, err, tt.want)
		})
	}
	data, err := fetch(t.Context(), serve(t, lines(service, "0000", head, "0000"),
		lines("NAK\n", "\x02counting\n", "\x01PA", "\x01", "\x01CK", "0000")))
	require.NoError(t, err)
	require.Equal(t, "PACK", data)
}

func fetch(ctx context.Context, address string) (string, error) {
	r, err := remote.Open(ctx, local, address)
	if err != nil {
		return "", err
	}
	pack, err := r.Fetch(ctx, []object.ID{r.Refs[0].ID}, nil)
	if err != nil {
		return "", err
	}
	defer pack.Close()
	data, err := io.ReadAll(pack)
	return string(data), err
}

// TestUnreachable: an error has nothing of the addresses of this server's network. A host by SSH is
// not trusted blindly.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	host := remote.Host{Guard: &outbound.Guard{Lookup: func(_ context.Context, name string) ([]netip.Addr, error) {
		return nil, &net.DNSError{
			Name: name, Server: "10.0.0.2:53", Err: "read udp 10.0.0.7:4242->10.0.0.2:53: connection refused",
		}
	}}}
	for scheme, want := range map[string]string{
		"git": "look up git.example.com: connection refused", "https": "look up git.example.com: connection refused",
		"ssh": "no host key of it is known",
	} {
		_, err := remote.Open(t.Context(), host, scheme+"://git.example.com/a")
		require.EqualError(t, err, "git.example.com cannot be reached: "+want, scheme)
	}
}

// TestRedirects: the credentials stay with the host that they were given for.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var seen []string
	note := func(r *http.Request) {
		name, _, _ := r.BasicAuth()
		seen = append(seen, r.URL.Path+" "+name)
	}
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(r)
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		_, _ = io.WriteString(w, lines(service, "0000", "0000"))
	}))
	t.Cleanup(far.Close)
	near := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(r)
		switch r.URL.Path {
		case "/a/info/refs":
			http.Redirect(w, r, "/b/info/refs?service=git-upload-pack", http.StatusFound)
		case "/b/info/refs":
			http.Redirect(w, r, far.URL+"/c/info/refs?service=git-upload-pack", http.StatusTemporaryRedirect)
		default:
			http.Redirect(w, r, far.URL+"/login", http.StatusFound)
		}
	}))
	t.Cleanup(near.Close)
	address := strings.Replace(near.URL, "://", "://ann:secret@", 1)
	_, err := remote.Open(t.Context(), local, address+"/a")
	require.NoError(t, err)
	require.Equal(t, []string{"/a/info/refs ann", "/b/info/refs ann", "/c/info/refs "}, seen)
	_, err = remote.Open(t.Context(), local, address+"/x")
	require.EqualError(t, err, "127.0.0.1 redirects to an address that is not that of a git repository")
}

package transfer_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/outbound"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/transfer"
	"hew/server/tree"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// TestSendTriesAgain sends an archive again, after growing pauses, where the other host may take it
// later, and else says why it did not.
func TestSendTriesAgain(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	require.NoError(t, setting.Set(t.Context(), s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	ref, err := blob.Put(t.Context(), s.Store, strings.NewReader("archive"), blob.NoLimit)
	require.NoError(t, err)
	const cut = -1 // the connection ends
	for _, tt := range []struct {
		name    string
		answers []int
		pauses  int
		want    string
	}{
		{"at once", []int{201}, 0, ""},
		{"later", []int{503, 429, cut, 200}, 3, ""},
		{"never", []int{500, 500, 500, 500, 502}, 4, "the archive could not be sent: the other host answered 502"},
		{"not allowed", []int{403}, 0, "the archive could not be sent: the other host answered 403"},
		{"redirect", []int{307}, 0, "the archive could not be sent: the other host answered 307"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answers := tt.answers
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				status := answers[0]
				answers = answers[1:]
				if status == cut {
					panic(http.ErrAbortHandler)
				}
				if string(body) != "archive" || r.ContentLength != 7 || r.Header.Get("Authorization") == "" {
					status = http.StatusTeapot
				}
				w.WriteHeader(status)
			}))
			defer host.Close()
			var pauses []time.Duration
			x := transfer.Exporter{Out: &outbound.Guard{}, Wait: func(_ context.Context, d time.Duration) error {
				pauses = append(pauses, d)
				return nil
			}}
			url := strings.Replace(host.URL, "://", "://ann:the-password@", 1) + "/a?signature=secret"
			err := x.Send(t.Context(), s.Store, ref, transfer.ExportTarget{URL: url, Method: "PUT"})
			if tt.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tt.want)
			}
			require.Empty(t, answers)
			require.Equal(t, transfer.SendPauses[:tt.pauses], append([]time.Duration{}, pauses...))
		})
	}
}

// TestSendWithin refuses a name that leads into the local network when it is connected to.
func TestSendWithin(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ref, err := blob.Put(t.Context(), s.Store, strings.NewReader("archive"), blob.NoLimit)
	require.NoError(t, err)
	x := transfer.Exporter{
		Out: &outbound.Guard{Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}},
		Wait: func(context.Context, time.Duration) error {
			t.Error("it is tried again")
			return nil
		},
	}
	for url, want := range map[string]string{
		"https://files.example.com/a": "requests to files.example.com are not allowed: it is in the local network",
		"http://169.254.169.254/a":    "the address is blocked: Requests to the local network are not allowed",
	} {
		err := x.Send(t.Context(), s.Store, ref, transfer.ExportTarget{URL: url, Method: "PUT"})
		require.EqualError(t, err, "the archive could not be sent: "+want)
	}
	require.NoError(t, setting.Set(t.Context(), s.Store, "silent_mode_enabled", true))
	err = x.Send(t.Context(), s.Store, ref, transfer.ExportTarget{URL: "https://files.example.com/a", Method: "PUT"})
	require.ErrorContains(t, err, "silent mode")
}

func TestArchiveName(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 9, 5, 7, 42_000_000, time.UTC)
	for path, want := range map[string]string{
		"acme/web":                             "2026-11-30_09-05-042_acme_web_export.tar.gz",
		"acme/platform/tools/a-very-long-name": "2026-11-30_09-05-042_acme_platform_tools_a-very-lon_export.tar.gz",
	} {
		require.Equal(t, want, transfer.ArchiveName(tree.Project{FullPath: path}, at))
	}
}

package server_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, trusted, remote string
		forwarded             []string
		want                  string
	}{
		{"no proxy is trusted", "", "127.0.0.1:5", []string{"9.9.9.9"}, "127.0.0.1:5"},
		{"a client says that it is another", "10.0.0.0/8", "8.8.8.8:5", []string{"9.9.9.9"}, "8.8.8.8:5"},
		{"behind a proxy", "10.0.0.0/8", "10.1.2.3:5", []string{"9.9.9.9"}, "9.9.9.9:0"},
		{"behind two", "10.0.0.0/8, 192.168.1.1", "10.1.2.3:5", []string{"9.9.9.9, 192.168.1.1"}, "9.9.9.9:0"},
		{"the client has made up the first ones", "10.0.0.0/8", "10.1.2.3:5", []string{"1.1.1.1, 10.0.0.1, 9.9.9.9"},
			"9.9.9.9:0"},
		{"in a line of its own", "10.0.0.0/8", "10.1.2.3:5", []string{"1.1.1.1", "9.9.9.9"}, "9.9.9.9:0"},
		{"made up and not an address", "10.0.0.0/8", "10.1.2.3:5", []string{"localhost, 9.9.9.9"}, "9.9.9.9:0"},
		{"not an address", "10.0.0.0/8", "10.1.2.3:5", []string{"9.9.9.9, unknown"}, "10.1.2.3:0"},
		{"none said", "10.0.0.0/8", "10.1.2.3:5", nil, "10.1.2.3:0"},
		{"a client within the network of the proxies", "10.0.0.0/8", "10.1.2.3:5", []string{"10.9.9.9"}, "10.9.9.9:0"},
		{"with a port", "10.0.0.0/8", "10.1.2.3:5", []string{"9.9.9.9:1234"}, "9.9.9.9:0"},
		{"IPv6", "fd00::/8", "[fd00::1]:5", []string{"2001:db8::7"}, "[2001:db8::7]:0"},
		{"IPv6 with a port", "::1", "[::1]:5", []string{"[2001:db8::7]:80"}, "[2001:db8::7]:0"},
		{"IPv4 in IPv6", "127.0.0.1", "[::ffff:127.0.0.1]:5", []string{"::ffff:9.9.9.9"}, "9.9.9.9:0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list, err := server.ParseProxies(tt.trusted)
			require.NoError(t, err)
			r := &http.Request{RemoteAddr: tt.remote, Header: http.Header{"X-Forwarded-For": tt.forwarded}}
			require.Equal(t, tt.want, server.ClientOf(list, r))
		})
	}
	_, err := server.ParseProxies("10.0.0.0/8,proxy.example")
	require.EqualError(t, err, `trusted proxies: "proxy.example" is not a network or an address; give one such as 10.0.0.0/8`)
}

// TestTrustedProxies: behind a proxy each client has a limit of its own, and a client that is not
// behind one cannot take the address of another.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	for trusted, blocked := range map[string]bool{"127.0.0.1/32": false, "": true} {
		s := servertest.FreshWith(t, server.Config{TrustedProxies: trusted})
		reply := s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{
			"throttle_unauthenticated_api_enabled": true, "throttle_unauthenticated_api_requests_per_period": 2,
			"throttle_unauthenticated_api_period_in_seconds": 3600,
		})
		require.Equal(t, 200, reply.Status, string(reply.Body))
		ask := func(forwarded string) int {
			r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/projects", nil)
			require.NoError(t, err)
			r.Header.Set("X-Forwarded-For", forwarded)
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			return answer.StatusCode
		}
		require.Equal(t, 200, ask("9.9.9.9"))
		require.Equal(t, 200, ask("9.9.9.9"))
		require.Equal(t, 429, ask("1.2.3.4, 9.9.9.9"), "what the client adds in front changes nothing")
		require.Equal(t, blocked, ask("8.8.8.8") == 429)
	}
}

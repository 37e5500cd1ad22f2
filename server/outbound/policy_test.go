package outbound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/outbound"
)

func TestAdmits(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{ // "always", "local" only where that is allowed, "never"
		"https://ci.example.com":                   "always",
		"http://ci.example.com:8080/a?b=c#d":       "always",
		"https://user:pass@ci.example.com/{token}": "always",
		"https://{tenant}.example.com/hook":        "always",
		"https://{a.b}/":                           "always",
		"https://8.8.8.8/":                         "always",
		"https://[2606:4700::1111]/":               "always",
		"http://intranet/":                         "always", // where that leads is asked at delivery

		"http://localhost/":            "local",
		"http://LOCALHOST.:3000/":      "local",
		"http://a.localhost/":          "local",
		"http://printer.local/":        "local",
		"http://127.0.0.1/":            "local",
		"http://127.9.9.9/":            "local",
		"http://0.0.0.0/":              "local",
		"http://10.1.2.3/":             "local",
		"http://172.16.0.1/":           "local",
		"http://192.168.1.1/":          "local",
		"http://169.254.169.254/":      "local",
		"http://100.64.0.1/":           "local",
		"http://224.0.0.1/":            "local",
		"http://255.255.255.255/":      "local",
		"http://[::1]/":                "local",
		"http://[::]/":                 "local",
		"http://[fe80::1]/":            "local",
		"http://[fd00::1]/":            "local",
		"http://[ff02::1]/":            "local",
		"http://[::ffff:127.0.0.1]/":   "local",
		"http://[::127.0.0.1]/":        "local",
		"http://[64:ff9b::7f00:1]/":    "local",
		"http://[64:ff9b:1::a00:1]/":   "local",
		"http://[2002:7f00:1::]/":      "local",
		"http://ci.example.com:65536/": "never",
		"http://ci.example.com:0/":     "never",
		"http://[fe80::1%25eth0]/":     "never",
		"http://127.1/":                "never",
		"http://2130706433/":           "never",
		"http://0x7f.1/":               "never",
		"http://0x7f000001/":           "never",
		"http://1.2.3.04/":             "never",
		"ftp://ci.example.com":         "never",
		"javascript:alert(1)":          "never",
		"https:ci.example.com":         "never",
		"https://":                     "never",
		"https:///path":                "never",
		"ci.example.com":               "never",
		"":                             "never",
		" https://ci.example.com":      "never",
		"https://ci.example.com/\r\nX": "never",
		"https://ci.example.com/" + strings.Repeat("a", 2048): "never",
	} {
		require.Equal(t, want == "always", outbound.Policy{}.Admits(address), "%.80q", address)
		require.Equal(t, want != "never", outbound.Policy{Local: true}.Admits(address),
			"%.80q with local addresses allowed", address)
	}
}

func TestAdmitsWhatIsListed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		entry, address string
		want           bool
	}{
		{"localhost", "http://localhost:3000/", true},
		{"LocalHost.", "http://localhost/", true},
		{"localhost:3000", "http://localhost:3000/", true},
		{"localhost:3000", "http://localhost/", false},
		{"localhost:80", "http://localhost/", true},
		{"localhost:443", "https://localhost/", true},
		{"127.0.0.1", "http://127.0.0.1/", true},
		{"127.0.0.1", "http://127.0.0.2/", false},
		{"127.0.0.1:81", "http://127.0.0.1:81/", true},
		{"127.0.0.1:81", "http://127.0.0.1:82/", false},
		{"10.0.0.0/8", "http://10.200.0.1/", true},
		{"10.0.0.0/8", "http://11.0.0.1/", true}, // that one is public
		{"10.0.0.0/8", "http://192.168.0.1/", false},
		{"10.0.0.0/8", "http://[::ffff:10.0.0.1]/", true},
		{"::1", "http://[::1]/", true},
		{"[::1]:8080", "http://[::1]:8080/", true},
		{"[::1]:8080", "http://[::1]/", false},
		{"fd00::/8", "http://[fd12::1]/", true},
		{"", "http://localhost/", false},
		{"[", "http://localhost/", false},
	} {
		require.Equal(t, tt.want, outbound.Policy{Allow: []string{tt.entry}}.Admits(tt.address), "%q with %q listed",
			tt.address, tt.entry)
	}
}

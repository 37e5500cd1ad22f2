package forge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOutbound(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{ // "always", "local" only where that is allowed, "never"
		"https://ci.example.com":                   "always",
		"http://ci.example.com:8080/a?b=c#d":       "always",
		"https://user:pass@ci.example.com/{token}": "always",
		"https://{tenant}.example.com/hook":        "always",
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
		"http://[::1]/":                "local",
		"http://[::]/":                 "local",
		"http://[fe80::1]/":            "local",
		"http://[fd00::1]/":            "local",
		"http://[::ffff:127.0.0.1]/":   "local",
		"http://[64:ff9b::7f00:1]/":    "local",
		"http://ci.example.com:65536/": "never",
		"http://ci.example.com:0/":     "never",
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
		require.Equal(t, want == "always", outbound(address, false), "%.80q", address)
		require.Equal(t, want != "never", outbound(address, true), "%.80q with local addresses allowed", address)
	}
}

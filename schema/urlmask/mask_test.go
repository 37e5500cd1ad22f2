package urlmask

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHasSecret tells secrets in a URL from what only looks like one.
func TestHasSecret(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://ci.example.com/hook":                            false,
		"https://ci.example.com/hook?channel=ops#top":            false,
		"https://ci.example.com/a@b":                             false,
		"https://ci.example.com/?mail=a@b.example.com":           false,
		"https://ci.example.com/?token=":                         false, // there is none
		"https://ci.example.com/?monkey=1":                       false,
		"token=hunter2":                                          false, // no address: it is what people say
		"https://user:hunter2@ci.example.com/":                   true,
		"https://hunter2@ci.example.com/":                        true,
		"see https://user:hunter2@ci.example.com/ for more":      true,
		"postgres://user:hunter2@db/name":                        true,
		"https://ci.example.com/?token=hunter2":                  true,
		"https://ci.example.com/?x=1&PRIVATE_TOKEN=hunter2":      true,
		"https://ci.example.com/#access_token=hunter2":           true,
		"https://ci.example.com/?X-Amz-Signature=hunter2":        true,
		"https://ci.example.com/?sig=hunter2":                    true,
		"one\ntwo https://ci.example.com/?api-key=x&key=hunter2": true,
	} {
		require.Equal(t, want, HasSecret(text), text)
	}
}

// TestFindSecretPath tells which paths have a secret, and pins the redacted URL and its public
// part.
func TestFindSecretPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ address, redacted, public string }{
		// The shapes that are known, whatever the secret looks like.
		{"https://hooks.slack.com/services/T00000000/B00000000/XXXX",
			"https://hooks.slack.com/services/…", "hooks.slack.com/services/"},
		{"https://hooks.slack.com/triggers/E01A/123/0a1b2c",
			"https://hooks.slack.com/triggers/…", "hooks.slack.com/triggers/"},
		{"https://discord.com/api/webhooks/123456789/abc/slack",
			"https://discord.com/api/webhooks/…", "discord.com/api/webhooks/"},
		{"https://hooks.zapier.com/hooks/catch/123456/abc",
			"https://hooks.zapier.com/hooks/catch/…", "hooks.zapier.com/hooks/catch/"},
		{"https://api.telegram.org/bot12345:abc/sendMessage?chat=1",
			"https://api.telegram.org/…?chat=1", "api.telegram.org/"},
		// Random parts where secrets are expected.
		{"https://chat.example.com/hooks/ybndrfg8ejkmcpqxot1uwisza3",
			"https://chat.example.com/hooks/…", "chat.example.com/hooks/"},
		{"https://x.webhook.office.com/webhookb2/7c9e6679-7425-40de-944b-e07fc1f90ae7@1/",
			"https://x.webhook.office.com/webhookb2/…", "x.webhook.office.com/webhookb2/"},
		{"https://open.feishu.cn/open-apis/bot/v2/hook/7c9e6679-7425-40de-944b-e07fc1f90",
			"https://open.feishu.cn/open-apis/bot/v2/hook/…", "open.feishu.cn/open-apis/bot/v2/hook/"},
		{"https://events.example.com/integration/9fceb02d0ae598e95dc970b74767f193/enqueue",
			"https://events.example.com/integration/…", "events.example.com/integration/"},
		{"https://ci.example.com/webhook/a1B2c3D4", "https://ci.example.com/webhook/…", "ci.example.com/webhook/"},
		// And anywhere.
		{"https://script.example.com/macros/s/AKfycbx3Qk9-ZtR7vLw2Hn5_Pq8sXe/exec?a=b",
			"https://script.example.com/macros/s/…?a=b", "script.example.com/macros/s/"},
		{"https://ci.example.com/AKfycbx3Qk9%2DZtR7vLw2Hn5Pq8sXe", "https://ci.example.com/…", "ci.example.com/"},
		// And in a parameter that is called anything, or nothing.
		{"https://ci.example.com/exec?a=b&x=AKfycbx3Qk9-ZtR7vLw2Hn5_Pq8sXe",
			"https://ci.example.com/exec?a=b&x=…", "ci.example.com/exec"},
		{"https://ci.example.com/exec?AKfycbx3Qk9ZtR7vLw2Hn5Pq8sXe#top",
			"https://ci.example.com/exec?…#top", "ci.example.com/exec"},
		// In other places, or several of them.
		{"https://ci.example.com/run/token=hunter2/now", "https://ci.example.com/run/…", "ci.example.com/run/"},
		{"https://ci.example.com/a;jsessionid=0A1B/b", "https://ci.example.com/a;jsessionid=…", "ci.example.com/a"},
		{"https://me:pw@chat.example.com/hooks/a1B2c3D4?token=x&room=1#sid=1",
			"https://…@chat.example.com/hooks/…?token=…&room=1#sid=…", "chat.example.com/hooks/"},
		// Names, however odd they are.
		{"https://ci.example.com", "https://ci.example.com", "ci.example.com"},
		{"https://ci.example.com/hook", "https://ci.example.com/hook", "ci.example.com/hook"},
		{"https://ci.example.com/hooks/", "https://ci.example.com/hooks/", "ci.example.com/hooks/"},
		{"https://ci.example.com/webhook/gitlab-to-jira2/v2beta1/20261128", "", ""},
		{"https://ci.example.com/hooks/42/build/k8s-production-eu-west-1", "", ""},
		{"https://ci.example.com/services/team/backend/deploy", "", ""},
		{"https://ci.example.com/acme/commit/9fceb02d0ae598e95dc970b74767f19372d61af8", "", ""},
		{"https://ci.example.com/acme/app-1.22.3-9fceb02d0ae598e95dc9.tar.gz", "", ""},
		{"https://ci.example.com/jobs/7c9e6679-7425-40de-944b-e07fc1f90ae7", "", ""},
		{"https://ci.example.com/releases/2026-11-28-release-notes-of-version-22", "", ""},
		{"https://ci.example.com/v1.22.3-rc.1+build.2026.11.28/x86_64-unknown-linux-gnu", "", ""},
		{"https://ci.example.com/20261128T103000Z/1234567890123456789012", "", ""},
		{"https://ci.example.com/de/handbuch-f%C3%BCr-gro%C3%9Fe-%C3%9Cbergaben-und-r%C3%BCck", "", ""},
		{"https://ci.example.com/javadoc/AbstractSingletonProxyFactoryBeanV2.html", "", ""},
		{"https://ci.example.com/?ref=9fceb02d0ae598e95dc970b74767f19372d61af8&at=2026-11-28T10:30:00Z",
			"https://ci.example.com/?ref=9fceb02d0ae598e95dc970b74767f19372d61af8&at=2026-11-28T10:30:00Z",
			"ci.example.com/"},
		{"https://ci.example.com/?id=7c9e6679-7425-40de-944b-e07fc1f90ae7",
			"https://ci.example.com/?id=7c9e6679-7425-40de-944b-e07fc1f90ae7", "ci.example.com/"},
		{"https://ci.example.com/jobs/color=blue/?to=https%3A%2F%2Fci.example.com%2Facme%2Fbuilds%2F42#build-today",
			"https://ci.example.com/jobs/color=blue/?to=https%3A%2F%2Fci.example.com%2Facme%2Fbuilds%2F42#build-today",
			"ci.example.com/jobs/color=blue/"},
		{"https://ci.example.com/getMyAPIKeyForTheUserFromServer", "", ""},
	} {
		if tt.redacted == "" {
			tt.redacted, tt.public = tt.address, strings.TrimPrefix(tt.address, "https://")
		}
		require.Equal(t, tt.redacted, Redact(tt.address), tt.address)
		require.Equal(t, tt.public, PublicPart(tt.address), tt.address)
		require.Equal(t, tt.redacted != tt.address, HasSecret("see "+tt.address+" for more"), tt.address)
	}
}

// TestLooksRandom generates tokens: few of them pass for a name.
func TestLooksRandom(t *testing.T) {
	t.Parallel()
	const small, capitals, digits = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	r := rand.New(rand.NewPCG(7, 11))
	for _, c := range []struct {
		path, letters string
		long          int
	}{
		{"/", small + capitals + digits, 24},
		{"/", small + capitals + digits + "-_", 43},
		{"/hooks/", small + digits, 26},
		{"/hooks/", "0123456789abcdef", 32},
	} {
		missed := 0
		for range 1000 {
			var b strings.Builder
			for range c.long {
				b.WriteByte(c.letters[r.IntN(len(c.letters))])
			}
			if !HasSecret("https://example.com" + c.path + b.String()) {
				missed++
			}
		}
		require.Less(t, missed, 30, "%s %d", c.path, c.long)
	}
}

// TestConceal hides every parameter, and leaves a text without a URL as it is.
func TestConceal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"bug":                         "bug",
		"a?b=c":                       "a?b=c",
		"https://ci.example.com/hook": "https://ci.example.com/hook",
		"https://bot:pw@ci.example.com/hook?t=pw&room=ops#top": "https://…@ci.example.com/hook?t=…&room=…#…",
		"https://ci.example.com/?pw":                           "https://ci.example.com/?…",
		"https://discord.com/api/webhooks/123456789/abc:main":  "https://discord.com/api/webhooks/…",
	} {
		require.Equal(t, want, Conceal(text), text)
	}
}

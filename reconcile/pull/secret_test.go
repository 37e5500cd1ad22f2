package pull

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSecretText: what is a secret within an address, and what only looks like one.
func TestSecretText(t *testing.T) {
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
		require.Equal(t, want, secretText(text), text)
	}
}

// TestComments: what hosts say stays within its line, and prints.
func TestComments(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a } b é c \ufffd[2J d\ufffde", oneLine(" a\n}\r\n b é\tc \x1b[2J d\u202ee\u2028"))
}

package github_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/github"
)

func TestAttachments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, host string
		want       []string
	}{
		{"![a](https://github.com/user-attachments/assets/1-2), https://github.com/user-attachments/assets/1-2.", "github.com",
			[]string{"https://github.com/user-attachments/assets/1-2"}},
		{`<img src="https://user-images.githubusercontent.com/1/2.png?x=1" width=3>`, "github.com",
			[]string{"https://user-images.githubusercontent.com/1/2.png?x=1"}},
		{"[log.txt](https://github.com/acme/site/files/12/log.txt)\n<https://GITHUB.com/acme/site/assets/3/4>", "github.com",
			[]string{"https://github.com/acme/site/files/12/log.txt", "https://GITHUB.com/acme/site/assets/3/4"}},
		{"https://github.com/acme/site/files/x/log.txt https://github.com/acme/site/issues/1", "github.com", nil},
		{"https://evil.example/user-attachments/assets/1", "github.com", nil},
		{"https://a@github.com/user-attachments/assets/1", "github.com", nil},
		{"https://user-images.githubusercontent.com/1/2.png", "ghe.example", nil},
		{"http://ghe.example:8443/storage/user/7/files/1-2 https://media.ghe.example:8443/user/7/files/1", "ghe.example:8443",
			[]string{"http://ghe.example:8443/storage/user/7/files/1-2", "https://media.ghe.example:8443/user/7/files/1"}},
		{"https://%zz https:// http://[::1", "github.com", nil},
	} {
		require.Equal(t, tt.want, github.Attachments(tt.text, tt.host), tt.text)
	}
}

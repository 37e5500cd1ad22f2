package servertest

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFound(t *testing.T) {
	t.Parallel()
	const secret = "5w0rd>>fi?5h"
	for _, before := range []string{"", "a", "ab", "abc"} {
		inside := []byte(before + secret + "after")
		for _, text := range []string{
			string(inside), fmt.Sprintf(`"\x%x"`, inside), base64.StdEncoding.EncodeToString(inside),
			base64.URLEncoding.EncodeToString(inside),
		} {
			require.NotEmpty(t, Found(text, secret), text)
		}
	}
	require.Empty(t, Found("5w0rd", secret))
}

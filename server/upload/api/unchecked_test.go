package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Without checks of uploads the secret alone is enough, and nothing else of the project is open.
func TestUploadsWithoutChecks(t *testing.T) {
	t.Parallel()
	b := newSite(t, "openuploads", "private")
	project := b.holders[1]
	of := b.made(project, "x.txt", "x")
	require.Equal(t, 404, b.get(b.stranger.Token, of.FullPath).Status)
	b.Do(t, b.alice.Token, "PUT", project, map[string]any{"enforce_auth_checks_on_uploads": false})
	require.Equal(t, 200, b.get("", of.FullPath).Status)
	require.Equal(t, 404, b.get("", "/api/v4"+project).Status)
	require.Equal(t, 404, b.get(b.stranger.Token, fmt.Sprintf("/api/v4%s/uploads/%d", project, of.ID)).Status)
	missing := b.get("", "/api/v4"+project+"/uploads/"+strings.Repeat("0", 32)+"/x.txt")
	none := b.get("", "/api/v4/projects/0/uploads/"+strings.Repeat("0", 32)+"/x.txt")
	require.Equal(t, 404, missing.Status)
	require.Equal(t, string(none.Body), string(missing.Body), "a wrong secret does not tell that there is a project")
	b.Do(t, b.alice.Token, "PUT", project, map[string]any{"path": "new-path"})
	former := "/openuploads-group/openuploads" + of.URL
	for _, token := range []string{"", b.stranger.Token} {
		reply := b.get(token, former)
		require.Equal(t, 200, reply.Status, "%s", reply.Body)
		require.NotContains(t, fmt.Sprint(reply.Header, string(reply.Body)), "new-path")
		reply = b.get(token, strings.Replace(former, of.URL[9:12], "000", 1))
		require.Equal(t, 404, reply.Status)
		require.NotContains(t, fmt.Sprint(reply.Header, string(reply.Body)), "new-path")
	}
	mine := b.get(b.alice.Token, "/api/v4"+project+"/uploads/"+strings.Repeat("0", 32)+"/x.txt")
	require.Contains(t, string(mine.Body), "Upload Not Found")
}

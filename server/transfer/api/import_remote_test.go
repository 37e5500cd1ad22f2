package api_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/servertest"
	"hew/server/setting"
)

// Archives come from an address and from a bucket. What is secret of these is in no table once the
// import has ended, and not readable before.
func TestRemoteImport(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"VERSION": "0.2.4", "tree/project.json": `{"description":"From afar"}`,
		"tree/project/issues.ndjson": `{"iid":3,"title":"Far away","state":"opened"}` + "\n",
	}
	far := newFarHost(t, packFiles(t, files))
	i := importer{TB: t, s: servertest.FreshWith(t, server.Config{ImportS3: far.URL})}
	i.user = i.s.User(t, "bob")
	require.NoError(t, setting.Set(t.Context(), i.s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	check := func(route string, body map[string]any) {
		t.Helper()
		var r record
		reply := i.s.Do(t, i.user.Token, "POST", route, body)
		require.Equal(t, 201, reply.Status, string(reply.Body))
		require.NotContains(t, string(reply.Body), "hush-hush")
		reply.Into(t, &r)
		require.NoError(t, i.s.Server.Jobs.Drain(t.Context()))
		r = i.show(i.user.Token, r.ID)
		require.Equal(t, "finished", r.Status)
		require.Nil(t, r.Error)
		require.Empty(t, servertest.Found(i.s.Dump(t), "hush-hush"))
		var issues []struct {
			IID   int
			Title string
		}
		i.get(i.user.Token, r.ID, "/issues", &issues)
		require.Len(t, issues, 1)
		require.Equal(t, 3, issues[0].IID)
	}
	check("/projects/remote-import", map[string]any{"path": "a", "url": far.URL + "/x.tar.gz?token=hush-hush"})
	require.Equal(t, []string{"HEAD", "GET"}, far.asked)
	far.asked = nil
	bucket := map[string]any{"region": "us-east-1", "bucket_name": "exports", "file_key": "x.tar.gz",
		"access_key_id": "key", "secret_access_key": "hush-hush"}
	for path, route := range map[string]string{
		"b": "/projects/remote-import-objectstore", "c": "/projects/remote-import-s3",
	} {
		bucket["path"] = path
		check(route, bucket)
	}
	require.Equal(t, 2, len(slices.DeleteFunc(far.asked, func(m string) bool { return m != "GET" })))

	var r record
	reply := i.s.Do(t, i.user.Token, "POST", "/projects/remote-import",
		map[string]any{"path": "d", "url": far.URL + "/broken?token=hush-hush"})
	require.Equal(t, 201, reply.Status, string(reply.Body))
	reply.Into(t, &r)
	require.NoError(t, i.s.Server.Jobs.Drain(t.Context()))
	r = i.show(i.user.Token, r.ID)
	require.Equal(t, "failed", r.Status)
	require.Contains(t, *r.Error, "The download of the archive broke off")
	require.Empty(t, servertest.Found(i.s.Dump(t), "hush-hush"))
}

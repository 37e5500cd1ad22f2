package ci_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/fault"
	"hew/server/servertest"
)

// archived has a job leave an archive with a file, and ends it.
func (s story) archived(name string) ci.Job {
	s.Helper()
	j := s.takes().Job
	require.Equal(s, name, j.Name)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	_, err := z.Create(name)
	require.NoError(s, err)
	require.NoError(s, z.Close())
	require.NoError(s, ci.StoreArtifact(s.Context(), s.st, j, ci.Upload{
		Type: ci.ArchiveFile, Format: "zip", Name: "a.zip", ExpireIn: "1 day", Content: &out,
	}))
	require.NoError(s, ci.FinishJob(s.Context(), s.st, j, ci.Outcome{Success: true}))
	return j
}

// Expired artifacts go, but not those of the last pipeline of a ref that succeeded. A job that
// needs what is gone fails.
func TestArtifactsExpire(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := newStoryOn(t, servertest.Fresh(t), build("a", 1), build("b", 2))
	first := s.archived("a")
	kept := func(j ci.Job) int {
		by, err := ci.ArtifactsOf(ctx, s.st, j.ID)
		require.NoError(t, err)
		return len(by[j.ID])
	}
	require.Equal(t, 2, kept(first), "the archive and its list")
	require.NoError(t, ci.ExpireArtifacts(ctx, s.st, time.Now().Add(23*time.Hour)))
	require.Equal(t, 2, kept(first))
	s.ends("b", ci.Outcome{Success: true})
	s.are("a:success b:success; success")
	later := time.Now().Add(25 * time.Hour)
	require.NoError(t, ci.ExpireArtifacts(ctx, s.st, later))
	require.Equal(t, 2, kept(first), "the last one that succeeded")

	next, err := ci.Store(ctx, s.st, ci.Pipeline{
		ProjectID: s.p.ProjectID, Status: status.Created, Source: ci.ByPush, Ref: "main", Commit: s.p.Commit,
		UserID: s.p.UserID, CancelOlder: "conservative",
	}, nil)
	require.NoError(t, err)
	_, err = s.st.DB().Exec(ctx, `update pipelines set status = 'success' where id = $1`, next.ID)
	require.NoError(t, err)
	require.NoError(t, ci.ExpireArtifacts(ctx, s.st, later))
	require.Zero(t, kept(first))

	again, err := ci.RetryJob(ctx, s.st, s.job("b"), s.by)
	require.NoError(t, err)
	_, err = s.st.DB().Exec(ctx,
		`update jobs set artifacts_expire_at = now() - interval '1 hour' where id = $1`, first.ID)
	require.NoError(t, err)
	r, err := ci.CreateRunner(ctx, s.st, container(s), func(*ci.Runner) error { return nil })
	require.NoError(t, err)
	_, found, err := ci.TakeJob(ctx, s.st, ci.Taker{Runner: r.Runner})
	require.NoError(t, err)
	require.False(t, found)
	again = s.job("b")
	require.Equal(t, "missing_dependency_failure", *again.FailureReason)
}

// Links and paths that lead elsewhere are not among the files, and what swells too much is not
// read.
func TestBadArchive(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1))
	j := s.takes().Job
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range []string{"a", "b/c", "../up", "/root", "d/../../up", `e\f`, "dir/", "a/./b"} {
		_, err := z.Create(name)
		require.NoError(t, err)
	}
	link := &zip.FileHeader{Name: "link"}
	link.SetMode(fs.ModeSymlink | 0o777)
	_, err := z.CreateHeader(link)
	require.NoError(t, err)
	bomb, err := z.Create("z")
	require.NoError(t, err)
	for range 80 {
		_, err := bomb.Write(make([]byte, 1<<20))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, ci.StoreArtifact(t.Context(), s.st, j, ci.Upload{
		Type: ci.ArchiveFile, Format: "zip", Name: "a.zip", Content: &out,
	}))
	a, err := ci.FindArtifact(t.Context(), s.st, j.ID, ci.ArchiveFile)
	require.NoError(t, err)
	archive, err := ci.OpenArchive(t.Context(), s.st, a)
	require.NoError(t, err)
	var names []string
	for _, e := range archive.Entries {
		names = append(names, e.Path)
	}
	require.Equal(t, []string{"a", "b/c", "z"}, names)
	e, err := archive.Find("z")
	require.NoError(t, err)
	_, err = archive.Read(e)
	require.Equal(t, fault.CodeUnprocessable, fault.CodeOf(err))
	_, err = archive.Find("../up")
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	require.NoError(t, archive.Close())
}

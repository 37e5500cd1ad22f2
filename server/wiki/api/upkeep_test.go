package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/setting"
)

// upkeep asks for the periodic job that looks for repositories that need housekeeping.
type upkeep struct{}

func (upkeep) Kind() string { return "housekeep_repositories" }

// Wikis of groups and projects are measured and repacked like code.
func TestUpkeep(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	group, project := newBooksAt(t, s, "wikiupkeep")
	project.create("home", "x")
	for i := range 180 { // each makes a blob, a tree and a commit
		group.create(fmt.Sprint("page ", i), fmt.Sprint("text ", i))
	}
	value := func(sql string) int {
		n, err := db.Value[int](t.Context(), s.Store, sql, nil)
		require.NoError(t, err)
		return n
	}
	const loose = `select count(*) from loose_objects l join repositories r on r.id = l.repository_id
		where r.namespace_id is not null`
	require.Greater(t, value(loose), 500)
	first := group.clone()

	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, upkeep{}))
	s.Drain(t)
	require.Zero(t, value(loose))
	require.Equal(t, 1, value(`select count(*) from repository_packs`))
	require.Positive(t, value(`select wiki_size from projects`))
	require.Zero(t, value(`select repository_size + commit_count from projects`), "of the code")
	require.Positive(t, value(`select size from repositories where namespace_id is not null`))

	group.create("after", "x")
	first.Git("pull", "-q")
	require.Len(t, group.slugs(), 181)
	group.clone().Git("fsck", "--strict")
	other := group
	other.s = s.Beside(t)
	require.Equal(t, "text 7", other.page("page-7"), "a server that has no copy")
	other.clone()

	// A repository goes with its owner, and so do the ids of pages.
	require.NoError(t, setting.Set(t.Context(), s.Store, "deletion_adjourned_period", 0))
	reply := group.s.Do(t, group.user.Token, "DELETE", group.base, nil)
	require.Less(t, reply.Status, 300, string(reply.Body))
	s.Drain(t)
	for _, table := range []string{"repositories", "wiki_pages", "loose_objects", "commit_paths"} {
		require.Zero(t, value(`select count(*) from `+table), table)
	}
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, code.Housekeeping{RepositoryID: 1}))
	s.Drain(t) // nothing is left to do, which is no error
}

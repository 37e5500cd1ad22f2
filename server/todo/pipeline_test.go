package todo_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/group"
	"hew/server/servertest"
	"hew/server/tree"
)

// request stores a merge request of a branch, and returns its id.
func (d desk) request(author servertest.Persona, branch string, head object.ID) int64 {
	d.T.Helper()
	id, err := db.Value[int64](d.T.Context(), d.World.Store, `
		insert into merge_requests (project_id, source_project_id, iid, title, source_branch, target_branch, author_id,
			head_oid, base_oid, start_oid)
		select @project, @project, 1 + count(*), 'Better', @branch, 'main', @author, @head, @head, @head
		from merge_requests returning id`,
		pgx.NamedArgs{"project": d.project.ID, "branch": branch, "author": author.ID, "head": head})
	require.NoError(d.T, err)
	return id
}

// pipeline stores a pipeline with a job that waits.
func (d desk) pipeline(p ci.Pipeline) ci.Pipeline {
	d.T.Helper()
	ctx, err := d.T.Context(), error(nil)
	p.ProjectID, p.Status, p.CancelOlder = d.project.ID, status.Pending, "none"
	p.IID, err = d.World.NextIID(ctx, db.Container{ProjectID: &d.project.ID}, "pipeline")
	require.NoError(d.T, err)
	p.ID, err = d.World.Insert(ctx, "pipelines", p)
	require.NoError(d.T, err)
	_, err = d.World.Insert(ctx, "jobs", ci.Job{
		ProjectID: p.ProjectID, PipelineID: p.ID, Kind: ci.Build, Name: "test", Stage: "test", Status: status.Pending,
		Starts: status.OnSuccess, Needs: []string{}, Tags: []string{},
	})
	require.NoError(d.T, err)
	return p
}

// becomes gives the job of a pipeline another state.
func (d desk) becomes(p ci.Pipeline, to status.Status) {
	d.T.Helper()
	require.NoError(d.T, ci.InPipeline(d.T.Context(), d.World.Store, p.ID, func(c *ci.Change) error {
		c.Set(c.Jobs[0], to)
		return nil
	}))
}

// When the last pipeline of a merge request fails, its author has to look at it, and who wants it
// merged once that succeeds; until the pipeline is retried or a later one succeeds.
func TestPipelinesFail(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	in := tree.InGroup(d.group)
	ann, bob := d.member("ann", group.NewMember(in, 0, 30)), d.member("bob", group.NewMember(in, 0, 30))
	head := object.ID{1}
	request := d.request(ann, "topic", head)
	d.request(bob, "other", object.ID{2})
	failed := []string{"build_failed"}

	old := d.pipeline(ci.Pipeline{Source: ci.ByPush, Ref: "topic", Commit: object.ID{3}, UserID: &bob.ID})
	d.becomes(old, status.Failed)
	require.Empty(t, d.actions(ann), "it is of a commit that is not the head any more")

	first := d.pipeline(ci.Pipeline{Source: ci.ByPush, Ref: "topic", Commit: head, UserID: &bob.ID})
	d.becomes(first, status.Running)
	require.Empty(t, d.actions(ann))
	d.becomes(first, status.Failed)
	require.Equal(t, failed, d.actions(ann))
	require.Empty(t, d.actions(bob), "bob only pushed")
	d.becomes(first, status.Running)
	require.Empty(t, d.actions(ann), "it runs again")

	d.exec(`update merge_requests set auto_merge_user_id = ` +
		`(select id from users where username = 'bob') where source_branch = 'topic'`)
	d.becomes(first, status.Failed)
	require.Equal(t, failed, d.actions(ann))
	require.Equal(t, failed, d.actions(bob), "bob waits for it")
	d.becomes(first, status.Success)
	require.Empty(t, d.actions(ann))
	require.Empty(t, d.actions(bob))

	// A tag of that name, a part of another pipeline, and a pipeline that is not the last one.
	d.becomes(d.pipeline(ci.Pipeline{Source: ci.ByPush, Ref: "topic", Tag: true, Commit: head}), status.Failed)
	d.becomes(d.pipeline(ci.Pipeline{Source: ci.ByParent, Ref: "topic", Commit: head}), status.Failed)
	require.Empty(t, d.actions(ann))
	last := d.pipeline(ci.Pipeline{
		Source: ci.ByMergeRequest, Ref: "refs/merge-requests/1/merge", Commit: object.ID{4}, SourceHead: head,
		MergeRequestID: &request,
	})
	d.exec(`update merge_requests m set head_pipeline_id = (select max(id) from pipelines) where source_branch = 'topic'`)
	d.becomes(first, status.Failed)
	require.Empty(t, d.actions(ann))
	d.becomes(last, status.Failed)
	require.Equal(t, failed, d.actions(ann))
	d.becomes(d.pipeline(ci.Pipeline{Source: ci.ByPush, Ref: "topic", Commit: head}), status.Success)
	require.Empty(t, d.actions(ann), "a later one succeeds")

	d.exec(`update merge_requests set state = 'closed'`)
	d.becomes(last, status.Running)
	d.becomes(last, status.Failed)
	require.Empty(t, d.actions(ann))
}

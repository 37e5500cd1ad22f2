package load

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/transfer/archive"
)

// versions are the diffs of the merge requests of a batch, made of the commits that the repository
// has.
type versions struct {
	b       *batch
	g       *code.Git
	has     map[object.ID]bool
	heads   map[string]object.ID // of refs: branches, and heads of merge requests
	opened  map[[2]string]bool   // branches of open merge requests
	made    []madeVersion
	refs    map[string]object.ID // hidden refs to be made
	restore map[string]object.ID // branches to be made, which open merge requests need
}

type madeVersion struct {
	version merge.Version
	request merge.Request
}

// readVersions reads what of the commits that documents name is in the repository.
func (b *batch) readVersions(ctx context.Context, documents []Document) (*versions, error) {
	v := &versions{
		b: b, has: map[object.ID]bool{}, heads: map[string]object.ID{}, opened: map[[2]string]bool{},
		refs: map[string]object.ID{}, restore: map[string]object.ID{},
	}
	var err error
	if v.g, err = code.Open(ctx, b.st, b.project); err != nil {
		return nil, err
	}
	var names, sources []string
	for _, d := range documents {
		if m, ok := d.Value.(*archive.MergeRequest); ok {
			names = append(names, code.Heads+m.SourceBranch, code.Heads+m.TargetBranch, headRef(m.IID))
			sources = append(sources, m.SourceBranch)
		}
	}
	refs, err := db.Many[struct {
		Name string    `db:"name"`
		ID   object.ID `db:"oid"`
	}](ctx, b.st, `
		select name, coalesce(peeled, oid) as oid from refs where repository_id = @repository and name = any(@names)`,
		pgx.NamedArgs{"repository": v.g.ID, "names": names})
	if err != nil {
		return nil, err
	}
	var ids []object.ID
	for _, r := range refs {
		v.heads[r.Name] = r.ID
		ids = append(ids, r.ID)
	}
	for _, d := range documents {
		if m, ok := d.Value.(*archive.MergeRequest); ok {
			ids = append(ids, named3(m)...)
		}
	}
	commits, err := v.g.Commits(ctx, ids)
	for _, c := range commits {
		v.has[c.ID] = true
	}
	if err != nil {
		return nil, err
	}
	return v, v.readOpen(ctx, sources)
}

// readOpen reads the branches of the merge requests of these source branches that are open already.
func (v *versions) readOpen(ctx context.Context, sources []string) error {
	open, err := db.Many[struct {
		Source string `db:"source_branch"`
		Target string `db:"target_branch"`
	}](ctx, v.b.st, `
		select source_branch, target_branch from merge_requests
		where project_id = @project and source_project_id = @project and state in ('opened', 'locked')
		  and source_branch = any(@sources)`,
		pgx.NamedArgs{"project": v.b.project.ID, "sources": sources})
	for _, o := range open {
		v.opened[[2]string{o.Source, o.Target}] = true
	}
	return err
}

// open notes down that a merge request is open, and reports whether it is the only one of its
// branches.
func (v *versions) open(m *archive.MergeRequest) bool {
	key := [2]string{m.SourceBranch, m.TargetBranch}
	if v.opened[key] {
		return false
	}
	v.opened[key] = true
	return true
}

// headRef is the hidden ref of the head of a merge request.
func headRef(iid int64) string { return fmt.Sprintf("%s%d/head", code.MergeRequests, iid) }

// named3 returns the commits that the document of a merge request names.
func named3(m *archive.MergeRequest) (ids []object.ID) {
	shas := []*string{m.DiffHeadSHA, m.SourceBranchSHA, m.TargetBranchSHA}
	if d := m.MergeRequestDiff; d != nil {
		shas = append(shas, d.HeadCommitSHA, d.BaseCommitSHA, d.StartCommitSHA)
	}
	for _, sha := range shas {
		if id := idFrom(sha); !id.IsZero() {
			ids = append(ids, id)
		}
	}
	return ids
}

// idFrom returns the id of an object, zero if there is none.
func idFrom(sha *string) (id object.ID) {
	if sha != nil {
		id, _ = object.ParseID(*sha)
	}
	return id
}

// first returns the first commit that the repository has.
func (v *versions) first(ids ...object.ID) object.ID {
	for _, id := range ids {
		if v.has[id] {
			return id
		}
	}
	return object.ID{}
}

// of returns the version of a merge request: by its diff or, if that is not usable, by the refs.
// The base is zero if it has to be computed.
func (v *versions) of(m *archive.MergeRequest) (merge.Version, bool) {
	d := m.MergeRequestDiff
	if d == nil {
		d = &archive.Diff{}
	}
	source, target := v.heads[code.Heads+m.SourceBranch], v.heads[code.Heads+m.TargetBranch]
	fork := m.SourceProjectID != nil && m.TargetProjectID != nil && *m.SourceProjectID != *m.TargetProjectID
	if fork || m.State != "opened" {
		source = object.ID{} // the branch was in a fork, or has moved on
	}
	r := merge.Version{
		Head: v.first(idFrom(d.HeadCommitSHA), idFrom(m.DiffHeadSHA), v.heads[headRef(m.IID)],
			idFrom(m.SourceBranchSHA), source),
		Start: v.first(idFrom(d.StartCommitSHA), idFrom(m.TargetBranchSHA), target),
		Base:  v.first(idFrom(d.BaseCommitSHA)),
	}
	if d.CreatedAt != nil {
		r.CreatedAt = *d.CreatedAt
	}
	if r.Start.IsZero() {
		r.Start = r.Base
	}
	return r, !r.Head.IsZero() && !r.Start.IsZero()
}

// add notes down a version to be stored after the rows, and the refs that the merge request needs.
func (v *versions) add(id int64, iid int, m *archive.MergeRequest, version merge.Version, r row) {
	version.RequestID = id
	v.made = append(v.made, madeVersion{version, merge.Request{
		ID: id, ProjectID: v.b.project.ID, IID: iid, MergeCommit: idFrom(m.MergeCommitSHA),
		SquashCommit: idFrom(m.SquashCommitSHA), MergedHead: idFrom(m.MergedCommitSHA),
	}})
	v.refs[headRef(m.IID)] = version.Head
	v.refs[code.KeepAround+version.Head.String()] = version.Head
	if r["state"] != "opened" {
		return
	}
	for branch, at := range map[string]object.ID{
		m.SourceBranch: version.Head, m.TargetBranch: v.first(idFrom(m.TargetBranchSHA), version.Start),
	} {
		if v.heads[code.Heads+branch].IsZero() && isBranch(branch) && catalogue.IsBranchName(branch) {
			v.restore[code.Heads+branch] = at
		}
	}
}

// store stores the versions, and makes the refs.
func (v *versions) store(ctx context.Context) error {
	for _, m := range v.made {
		err := v.b.st.Savepoint(ctx, func(st *db.Store) error {
			return merge.StoreVersion(ctx, st, v.g, m.request, m.version)
		})
		if err != nil && (ctx.Err() != nil || !isOfDocument(err)) {
			return err
		}
		if err != nil { // the request stays, without a diff
			v.b.failures = append(v.b.failures,
				failureOf(v.b.Task.ProjectID, "merge_request_diff", m.request.IID, invalid("the diff cannot be made again")))
		}
	}
	if len(v.refs) > 0 {
		if err := code.SetHiddenRefs(ctx, v.b.st, v.b.project, v.refs); err != nil {
			return err
		}
	}
	return code.RestoreBranches(ctx, v.b.st, v.b.project, v.restore)
}

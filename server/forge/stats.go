package forge

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/project"
)

// storedIn maps kinds of documents that are not parts of others to the relations that they are
// stored in.
var storedIn = map[string]string{
	kindLabel: "labels", kindMilestone: "milestones", kindRelease: "releases", kindIssue: "issues",
	kindPull: "merge_requests", kindCollaborator: "project_members", kindProtection: "protected_branches",
}

// uncounted are kinds that only help to make others.
var uncounted = []string{kindUser, kindBranch, kindPullIssue}

// count is how many documents of a kind there are.
type count struct {
	Kind    string `db:"kind"`
	Fetched int    `db:"fetched"`
	Stored  int    `db:"stored"` // with the issue or merge request that they belong to
}

// storeStats stores what has come and been stored so far in the record of the import.
func (r *run) storeStats(ctx context.Context, st *db.Store) error {
	done := func(relation string) int {
		if r.loads == nil {
			return 0
		}
		return r.loads.Done(relation)
	}
	counts, err := db.Many[count](ctx, st, `
		select d.kind, count(*)::int as fetched, (count(*) filter (where d.number < case
		           when p.number is not null then @merge_requests::bigint else @issues::bigint end))::int as stored
		from forge_documents d left join forge_documents p
		    on p.project_id = d.project_id and p.kind = @pull and p.key = d.number::text
		where d.project_id = @project group by d.kind`, pgx.NamedArgs{
		"project": r.ProjectID, "pull": kindPull, "issues": done("issues"), "merge_requests": done("merge_requests"),
	})
	if err != nil {
		return err
	}
	failures, err := project.ImportFailures(ctx, st, r.ProjectID)
	if err != nil {
		return err
	}
	failed := map[string]int{}
	for _, f := range failures {
		failed[f.Relation]++
	}
	fetched, imported := map[string]int{}, map[string]int{}
	for _, c := range counts {
		if slices.Contains(uncounted, c.Kind) {
			continue
		}
		if relation, ok := storedIn[c.Kind]; ok {
			if c.Kind != kindIssue && c.Kind != kindPull {
				c.Stored = min(done(relation), c.Fetched)
			}
			c.Stored = max(c.Stored-failed[relation], 0)
		}
		if c.Kind == kindLFSObject || strings.HasSuffix(c.Kind, "_attachment") {
			c.Stored = max(c.Fetched-failed[c.Kind], 0)
		}
		if c.Kind == kindLFSObject && r.Stage == "lfs_objects" { // none has come yet
			c.Stored = 0
		}
		fetched[c.Kind], imported[c.Kind] = c.Fetched, c.Stored
	}
	record, err := project.FindImportRecord(ctx, st, r.ProjectID)
	if err != nil {
		return err
	}
	if record.Stats, err = json.Marshal(map[string]any{"fetched": fetched, "imported": imported}); err != nil {
		return err
	}
	return project.StoreImportRecord(ctx, st, record)
}

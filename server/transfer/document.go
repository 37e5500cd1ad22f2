package transfer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/transfer/archive"
)

// documentPage is how many documents are made by one statement.
const documentPage = 100

// relation says how the documents of a relation are made. Postgres makes them, one JSON text each:
// the columns have the names of the fields of package archive, which a test compares.
type relation struct {
	name    string
	table   string
	ids     string // condition on the table t, and the order; of @project
	columns string // of t

	// add returns what adds to a document what the rows do not say; nil: nothing is added.
	add func(exportWriter, context.Context) (func(context.Context, string) (any, error), error)
}

// documents returns what follows from the ids of a page: a JSON text for each.
func (r relation) documents() string {
	return `select ` + jsonObject(r.columns) + `::text
		from unnest(@ids::bigint[]) with ordinality o (id, n) join ` + r.table + ` t on t.id = o.id order by o.n`
}

// jsonObject returns the expression of a JSON object of columns.
func jsonObject(columns string) string {
	return `(select row_to_json(d) from (select ` + columns + `) d)`
}

// list returns the expression of a JSON list of objects, from tables in an order.
func list(columns, from string) string {
	return `(select coalesce(json_agg(row_to_json(d)), '[]') from (select ` + columns + ` ` + from + `) d)`
}

// one returns the expression of the JSON object of a row, null if there is none.
func one(columns, from string) string {
	return `(select row_to_json(d) from (select ` + columns + ` ` + from + `) d)`
}

// hexOf returns the expression of the hex digits of a column of bytes.
func hexOf(column string) string { return `encode(` + column + `, 'hex')` }

// ofProject are the rows of tables that have those of a project, as they were made.
const ofProject = `t.project_id = @project order by t.id`

// relations are those with any number of documents. The ids of each are read first, so that a page
// costs one statement whatever the order.
var relations = []relation{
	{"labels", "labels", ofProject, labelColumns("t"), nil},
	{
		"milestones", "milestones", ofProject,
		milestoneColumns("t") + `, ` + eventsOf("milestone_id = t.id") + ` as events`, nil,
	},
	{"issues", "issues", `t.project_id = @project order by t.relative_position nulls last, t.id`, issueColumns, nil},
	{"releases", "releases", ofProject, releaseColumns, nil},
	{"merge_requests", "merge_requests", ofProject, mergeRequestColumns, exportWriter.diffs},
	{
		"commit_notes", "notes", `t.project_id = @project and t.commit_oid is not null and ` + ownNote("t") + ` order by t.id`,
		noteColumns("t", "Commit"), nil,
	},
	{
		"ci_pipelines", "pipelines", `t.project_id = @project and t.source <> 'parent_pipeline' order by t.id`,
		pipelineColumns, nil,
	},
	{"pipeline_schedules", "pipeline_schedules", ofProject, scheduleColumns, nil},
	{
		"protected_branches", "protected_refs", `t.project_id = @project and t.kind = 'branch' order by t.id`,
		protectedBranchColumns, nil,
	},
	{
		"protected_tags", "protected_refs", `t.project_id = @project and t.kind = 'tag' order by t.id`,
		protectedTagColumns, nil,
	},
	{"approval_rules", "approval_rules", ofProject, approvalRuleColumns, nil},
	{"project_members", "members", `t.id in (select id from ` + visibleMembers + ` v) order by t.id`, memberColumns, nil},
	{"user_contributions", "users", `t.id in (` + mentionedUsers + `) order by t.id`, userColumns, nil},
}

// relation writes the documents of a relation.
func (w exportWriter) relation(ctx context.Context, st *db.Store, to *archive.Writer, r relation) error {
	args := pgx.NamedArgs{
		"project": w.project.ID, "namespaces": w.project.NamespaceIDs, "user": w.by.UserID, "admin": w.by.Admin,
		"owner": w.ownsGroup,
	}
	ids, err := db.Values[int64](ctx, st, `select t.id from `+r.table+` t where `+r.ids, args)
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	if len(ids) == 0 {
		return nil
	}
	out, err := to.Relation(r.name)
	if err != nil {
		return err
	}
	defer out.Discard()
	add := func(_ context.Context, text string) (any, error) { return json.RawMessage(text), nil }
	if r.add != nil {
		if add, err = r.add(w, ctx); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	sql := r.documents()
	for len(ids) > 0 {
		page := ids[:min(len(ids), documentPage)]
		ids = ids[len(page):]
		args["ids"] = page
		if err := st.Each(ctx, sql, args, func(row pgx.CollectableRow) error {
			var text string
			if err := row.Scan(&text); err != nil {
				return err
			}
			document, err := add(ctx, text)
			if err != nil {
				return err
			}
			return out.Write(document)
		}); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return out.Close()
}

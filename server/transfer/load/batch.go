package load

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/project"
)

// row is a row to be stored, by column. All rows of a table have the columns that cannot be null.
type row map[string]any

// tables are those that a batch stores rows in, in an order that references allow. Rows that are
// there already are left out where several people of the source are one user here.
var tables = []struct {
	name string
	once bool
}{
	{"labels", true}, {"milestones", false}, {"issues", false}, {"merge_requests", false}, {"issue_labels", true},
	{"issue_assignees", true}, {"issue_links", true}, {"merge_request_labels", true},
	{"merge_request_assignees", true}, {"merge_request_reviewers", true}, {"merge_request_approvals", true},
	{"merge_request_commits", true}, {"snippets", false}, {"notes", false}, {"suggestions", true},
	{"award_emoji", true}, {"timelogs", false}, {"resource_events", false}, {"user_events", false},
	{"releases", false}, {"release_links", false}, {"release_milestones", true}, {"protected_refs", false},
	{"protected_ref_levels", false}, {"members", true}, {"push_rules", false}, {"approval_rules", false},
	{"error_tracking", true}, {"pipelines", false}, {"jobs", false}, {"pipeline_schedules", false},
}

// batch is documents that one transaction stores.
type batch struct {
	*Loader
	st         *db.Store
	relation   string
	rows       map[string][]row
	failures   []project.ImportFailure
	found      finder
	iids       map[string]int  // the highest number of what is stored, by thing
	lacking    map[string]bool // parts of documents that have no place here
	inEpics    []int64         // issues that are in epics
	references []reference     // of merge requests
	after      []func(context.Context) error
}

func newBatch(l *Loader, st *db.Store, relation string) *batch {
	return &batch{Loader: l, st: st, relation: relation, rows: map[string][]row{}, iids: map[string]int{},
		lacking: map[string]bool{}}
}

// store builds the rows of the documents.
func (b *batch) store(ctx context.Context, documents []Document) error {
	do := stores[b.relation]
	if do == nil {
		return fmt.Errorf("load %s: nothing stores this relation", b.relation)
	}
	good := make([]Document, 0, len(documents))
	for _, d := range documents {
		if d.Err != nil {
			b.fail(d, d.Err)
			continue
		}
		good = append(good, d)
	}
	return do(ctx, b, good)
}

// each builds the rows of each document. If build says what is wrong with the document, that is a
// failure of it; it must not have added rows then.
func each[T any](b *batch, documents []Document, build func(Document, *T) error) error {
	for _, d := range documents {
		value, ok := d.Value.(*T)
		if !ok {
			return fmt.Errorf("load %s: a document has the type %T", b.relation, d.Value)
		}
		if err := build(d, value); isOfDocument(err) {
			b.fail(d, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// fail makes a document a failure.
func (b *batch) fail(d Document, why error) { b.failIn(b.relation, d, why) }

// failIn makes a part of a document a failure.
func (b *batch) failIn(relation string, d Document, why error) {
	b.failures = append(b.failures, failureOf(b.Task.ProjectID, relation, d.Line, why))
}

func (b *batch) add(table string, r row) { b.rows[table] = append(b.rows[table], r) }

// finish writes the rows, table by table.
func (b *batch) finish(ctx context.Context) error {
	for _, t := range tables {
		if err := b.insert(ctx, t.name, t.once); err != nil {
			return err
		}
	}
	for _, thing := range slices.Sorted(maps.Keys(b.iids)) {
		if err := b.st.ReserveIID(ctx, b.project.Container(), thing, b.iids[thing]); err != nil {
			return err
		}
	}
	for _, do := range b.after {
		if err := do(ctx); err != nil {
			return err
		}
	}
	if err := b.failLacking(ctx); err != nil {
		return err
	}
	for _, f := range b.failures {
		if err := project.AddImportFailure(ctx, b.st, f); err != nil {
			return err
		}
	}
	return nil
}

// insert writes the rows of a table in one statement.
func (b *batch) insert(ctx context.Context, table string, once bool) error {
	rows := b.rows[table]
	if len(rows) == 0 {
		return nil
	}
	used := map[string]bool{}
	for _, r := range rows {
		for column, value := range r {
			used[column] = true
			if text, ok := value.(string); ok && strings.Contains(text, "\x00") {
				r[column] = Storable(text)
			}
		}
	}
	columns := strings.Join(slices.Sorted(maps.Keys(used)), `", "`)
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	sql := fmt.Sprintf(`insert into %s ("%s") select "%s" from jsonb_populate_recordset(null::%s, @rows::jsonb)`,
		table, columns, columns, table)
	if once {
		sql += ` on conflict do nothing`
	}
	delete(b.rows, table)
	return b.st.Exec(ctx, sql, pgx.NamedArgs{"rows": string(text)})
}

// reserve takes ids for n new rows of a table, which take gives out.
func (b *batch) reserve(ctx context.Context, table string, n int) error {
	if n -= len(b.ids[table]); n <= 0 {
		return nil
	}
	ids, err := db.Values[int64](ctx, b.st, `
		select nextval(pg_get_serial_sequence(@table, 'id')) from generate_series(1, @n::bigint)`,
		pgx.NamedArgs{"table": table, "n": n})
	b.ids[table] = append(b.ids[table], ids...)
	return err
}

// take returns one of the ids that were reserved.
func (b *batch) take(table string) int64 {
	id := b.ids[table][0]
	b.ids[table] = b.ids[table][1:]
	return id
}

package forge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/project"
)

// Progress is how far an import is.
type Progress struct {
	ProjectID    int64      `db:"project_id"`
	UserID       int64      `db:"user_id"`    // who imports
	Repository   string     `db:"repository"` // its path at the host
	Options      Options    `db:"options"`
	Stage        string     `db:"stage"`  // "": the first
	Cursor       string     `db:"cursor"` // where the stage goes on
	ProgressedAt time.Time  `db:"progressed_at"`
	WaitsUntil   *time.Time `db:"waits_until"`  // the host takes no requests before
	StagedBytes  int64      `db:"staged_bytes"` // of the documents so far, those that were replaced too
}

// Options are what the user who imports has chosen.
type Options struct {
	SingleEvents  bool `json:"single_events,omitempty"` // read the timeline of each issue
	SingleNotes   bool `json:"single_notes,omitempty"`  // read the comments of each issue
	Attachments   bool `json:"attachments,omitempty"`   // make uploads of the files that texts link to
	Collaborators bool `json:"collaborators,omitempty"` // make members of them
	Optimistic    bool `json:"optimistic,omitempty"`    // go on with the next stage when one makes no progress
	PageSize      int  `json:"page_size,omitempty"`     // 0: that of the host
}

// insertProgress stores the row of a new import.
func insertProgress(ctx context.Context, st *db.Store, p Progress) error {
	options, err := json.Marshal(p.Options)
	if err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into forge_imports (project_id, user_id, repository, options, waits_until)
		values (@project, @user, @repository, @options, @until)`, pgx.NamedArgs{
		"project": p.ProjectID, "user": p.UserID, "repository": p.Repository, "options": options,
		"until": p.WaitsUntil,
	})
}

// findProgress returns how far the import of a project is.
func findProgress(ctx context.Context, st *db.Store, project int64) (Progress, error) {
	return db.One[Progress](ctx, st, "Import", `select * from forge_imports where project_id = @project`,
		pgx.NamedArgs{"project": project})
}

// document is something that the host said, and that is not stored yet.
type document struct {
	Kind   string
	Key    string // its id at the host
	Number int    // of the issue or pull request that it belongs to; 0: to none
	Value  any    // of the kind's type
}

// step is what one step of an import brings.
type step struct {
	stage, cursor string // where the import goes on
	documents     []document
	users         []string // who the documents are by
	failures      []project.ImportFailure
}

// store stores a step, unless the import has been canceled.
func (r *run) store(ctx context.Context, s step) error {
	err := r.st.Tx(ctx, func(st *db.Store) error {
		if err := r.keep(ctx, st); err != nil {
			return err
		}
		if err := r.addDocuments(ctx, st, s.documents); err != nil {
			return err
		}
		if err := addUsers(ctx, st, r.ProjectID, s.users); err != nil {
			return err
		}
		for _, f := range s.failures {
			if err := project.AddImportFailure(ctx, st, f); err != nil {
				return err
			}
		}
		return r.move(ctx, st, s.stage, s.cursor)
	})
	return err
}

// keep returns not found if another process has the import, and else keeps it until the commit of a
// step.
func (r *run) keep(ctx context.Context, st *db.Store) error {
	return project.MoveImport(ctx, st, r.task)
}

// move stores where the import goes on, in the transaction of st. It returns not found if the user
// who imports was deleted.
func (r *run) move(ctx context.Context, st *db.Store, stage, cursor string) error {
	now := r.now()
	n, err := st.Affected(ctx, `
		update forge_imports set stage = @stage, cursor = @cursor, progressed_at = @now, waits_until = null
		where project_id = @project`, pgx.NamedArgs{
		"project": r.ProjectID, "stage": stage, "cursor": cursor, "now": now,
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.NotFound("Import")
	}
	r.Stage, r.Cursor, r.ProgressedAt = stage, cursor, now
	return nil
}

// maxStaged is how many bytes the documents of an import may have: a host can send without end.
const maxStaged = 8 << 30

// addDocuments stores documents. One that was there is replaced. More than an import may have end
// it.
func (r *run) addDocuments(ctx context.Context, st *db.Store, list []document) error {
	if len(list) == 0 {
		return nil
	}
	bytes := 0
	kinds, keys := make([]string, len(list)), make([]string, len(list))
	numbers, texts := make([]int, len(list)), make([]string, len(list))
	for i, d := range list {
		text, err := json.Marshal(d.Value)
		if err != nil {
			return err
		}
		kinds[i], keys[i], numbers[i], texts[i] = d.Kind, d.Key, d.Number, string(text)
		bytes += len(text)
	}
	totals, err := db.Values[int64](ctx, st, `
		update forge_imports set staged_bytes = staged_bytes + @bytes where project_id = @project returning staged_bytes`,
		pgx.NamedArgs{"project": r.ProjectID, "bytes": bytes})
	if err != nil {
		return err
	}
	for _, total := range totals { // none: the user was deleted, which ends the step
		if most := cmp.Or(r.maxStaged, maxStaged); total > most {
			return endedError(fmt.Sprintf("the issues, merge requests and comments of the repository have more than %d MiB",
				most>>20))
		}
	}
	return st.Exec(ctx, `
		insert into forge_documents (project_id, kind, key, number, document)
		select distinct on (kind, key) @project, kind, key, number, document::json
		from unnest(@kinds::text[], @keys::text[], @numbers::bigint[], @texts::text[])
		     with ordinality d (kind, key, number, document, place)
		order by kind, key, place desc
		on conflict (project_id, kind, key) do update set (number, document) = row(excluded.number, excluded.document)`,
		pgx.NamedArgs{"project": r.ProjectID, "kinds": kinds, "keys": keys, "numbers": numbers, "texts": texts})
}

// addUsers notes down who of the host is to be looked up.
func addUsers(ctx context.Context, st *db.Store, project int64, logins []string) error {
	if len(logins) == 0 {
		return nil
	}
	return st.Exec(ctx, `
		insert into forge_documents (project_id, kind, key, number, document)
		select @project::bigint, @kind, lower(login), 0, 'null'::json from unnest(@logins::text[]) login
		group by lower(login) on conflict do nothing`,
		pgx.NamedArgs{"project": project, "kind": kindUser, "logins": logins})
}

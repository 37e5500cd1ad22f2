package ci

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/secret"
)

// Definition is what the definition file says of a job, as far as it is not in the job's row.
type Definition struct {
	Base           string                  `json:"base"` // the name in the file, of a parallel job
	Index          int                     `json:"index,omitempty"`
	Total          int                     `json:"total,omitempty"`
	AllowExitCodes []int                   `json:"allow_exit_codes,omitempty"`
	Needs          []definition.Need       `json:"needs,omitempty"`
	Variables      []expression.Variable   `json:"variables,omitempty"`
	Environment    *definition.Environment `json:"environment,omitempty"`
	Options        definition.Options      `json:"options"`
}

// definitionOf returns what is stored of the definition of a job.
func definitionOf(j *definition.Job) Definition {
	return Definition{
		Base: j.Base, Index: j.Index, Total: j.Total, AllowExitCodes: j.AllowExitCodes, Needs: j.Needs,
		Variables: j.Variables, Environment: j.Environment, Options: j.Options,
	}
}

// storeDefinitions stores what a project does not have yet, and returns the id of each.
func storeDefinitions(ctx context.Context, st *db.Store, projectID int64, list []Definition) ([]int64, error) {
	digests, texts := make([][]byte, len(list)), make([]string, len(list))
	for n, d := range list {
		text, err := json.Marshal(d)
		if err != nil {
			return nil, err
		}
		digest := secret.Digest(string(text))
		digests[n], texts[n] = digest[:], string(text)
	}
	args := pgx.NamedArgs{"project": projectID, "digests": digests, "texts": texts}
	find := func() ([]int64, error) { // the lock keeps them until jobs refer to them
		return db.Values[int64](ctx, st, `
			with known as materialized (
				select d.id, d.digest from job_definitions d
				where d.project_id = @project and d.digest = any(@digests::bytea[])
				order by d.digest for key share)
			select coalesce(k.id, 0) from unnest(@digests::bytea[]) with ordinality g (digest, place)
			left join known k on k.digest = g.digest order by g.place`, args)
	}
	ids, err := find()
	if err != nil || !slices.Contains(ids, 0) {
		return ids, err
	}
	// In the order of the digests, so that two who store the same ones do not wait in a circle.
	if err := st.Exec(ctx, `
		insert into job_definitions (project_id, digest, definition)
		select distinct on (g.digest) @project, g.digest, g.text::jsonb
		from unnest(@digests::bytea[], @texts::text[]) g (digest, text) order by g.digest
		on conflict (project_id, digest) do nothing`, args); err != nil {
		return nil, err
	}
	return find()
}

// ReadDefinition returns the definition of a job. An external job has none, which is empty.
func ReadDefinition(ctx context.Context, st *db.Store, j Job) (d Definition, err error) {
	if j.DefinitionID == nil {
		return d, nil
	}
	text, err := db.Value[[]byte](ctx, st, `select definition from job_definitions where id = @id`,
		pgx.NamedArgs{"id": *j.DefinitionID})
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	return d, err
}

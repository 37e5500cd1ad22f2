package instance

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// TerraformState is a document that a project keeps for Terraform, or for hew, which keeps its ledger by the same protocol.
// The specification does not know them; they follow the public service.
type TerraformState struct {
	ID        int64      `db:"id,auto"`
	ProjectID int64      `db:"project_id"`
	Name      string     `db:"name"`
	Lock      *StateLock `db:"lock"` // nil: nobody has locked it
	CreatedAt time.Time  `db:"created_at,auto"`
	UpdatedAt time.Time  `db:"updated_at,auto"`
}

// StateLock is what whoever locks a state says of himself. Only the ID has a meaning here.
type StateLock struct {
	ID        string
	Operation string
	Info      string
	Who       string
	Version   string
	Created   string
	Path      string
}

// TerraformStates are the states of a project.
func TerraformStates(s *db.Store, c db.Container) db.Held[TerraformState] {
	return db.HeldIn[TerraformState](s, c, "terraform_states")
}

// TerraformStateBy is the state with that name.
func TerraformStateBy(name string) db.Which {
	return func(w *db.Where) { w.And(true, `t.name = @name`, name) }
}

// ProvideTerraformState makes the state with that name, unless there is one.
func ProvideTerraformState(ctx context.Context, s *db.Store, c db.Container, name string) error {
	return s.Exec(ctx, `
		insert into terraform_states (project_id, name) values (@project, @name)
		on conflict on constraint terraform_states_project_id_key do nothing`,
		pgx.NamedArgs{"project": c.ID(), "name": name})
}

// stateDocument is where the documents are, for their seals.
const stateDocument = "terraform_state_versions.document"

type stateVersion struct {
	ID     int64  `db:"id"`
	Serial int64  `db:"serial"`
	Sealed []byte `db:"sealed"`
}

// StateVersion is the document of a state with that serial; the latest one, and its serial, for nil.
func StateVersion(ctx context.Context, s *db.Store, state TerraformState, serial *int64) (document []byte, latest int64, err error) {
	w := db.NewWhere(nil)
	w.And(true, `state_id = @state`, state.ID)
	w.And(serial != nil, `serial = @serial`, serial)
	v, err := db.One[stateVersion](ctx, s, "", `select id, serial, sealed from terraform_state_versions`+w.String()+`
		order by serial desc limit 1`, w.Args)
	if err != nil {
		return nil, 0, err
	}
	document, err = s.Seal.Open(stateDocument, v.ID, v.Sealed)
	return document, v.Serial, err
}

// AddStateVersion stores a document as the version with that serial, and forgets all versions but the latest so many.
func AddStateVersion(ctx context.Context, s *db.Store, state TerraformState, serial int64, document []byte, keep int) error {
	id, err := s.NextID(ctx, "terraform_state_versions")
	if err != nil {
		return err
	}
	err = s.Exec(ctx, `
		insert into terraform_state_versions (id, state_id, serial, sealed) values (@id, @state, @serial, @sealed)`,
		pgx.NamedArgs{"id": id, "state": state.ID, "serial": serial, "sealed": s.Seal.Seal(stateDocument, id, document)})
	if err != nil {
		return err
	}
	return s.Exec(ctx, `
		delete from terraform_state_versions
		where state_id = @state and serial not in (
			select serial from terraform_state_versions where state_id = @state order by serial desc limit @keep)`,
		pgx.NamedArgs{"state": state.ID, "keep": keep})
}

// DeleteStateVersion forgets the version with that serial.
func DeleteStateVersion(ctx context.Context, s *db.Store, state TerraformState, serial int64) error {
	n, err := s.Affected(ctx, `delete from terraform_state_versions where state_id = @state and serial = @serial`,
		pgx.NamedArgs{"state": state.ID, "serial": serial})
	if err == nil && n == 0 {
		err = fault.NotFound("")
	}
	return err
}

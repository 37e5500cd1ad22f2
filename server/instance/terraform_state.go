package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// TerraformState is a document that a project keeps for Terraform, or for hew, whose ledger uses
// the same protocol. The specification does not have it; it follows the public service.
type TerraformState struct {
	ID        int64      `db:"id,auto"`
	ProjectID int64      `db:"project_id"`
	Name      string     `db:"name"`
	Lock      *StateLock `db:"lock"` // nil: nobody has locked it
	CreatedAt time.Time  `db:"created_at,auto"`
	UpdatedAt time.Time  `db:"updated_at,auto"`
}

// StateLock is what a client that locks a state says about itself. The server interprets the ID
// only.
type StateLock struct {
	ID        string
	Operation string
	Info      string
	Who       string
	Version   string
	Created   string
	Path      string
}

// TerraformStates returns the states of a project.
func TerraformStates(s *db.Store, c db.Container) db.Held[TerraformState] {
	return db.NewHeld[TerraformState](s, c, "terraform_states")
}

// TerraformStateBy returns a condition that matches the state with the name.
func TerraformStateBy(name string) db.Condition {
	return func(w *db.Where) { w.And(`t.name = @name`, name) }
}

// insertMissingState creates the state with the name, unless it exists.
func insertMissingState(ctx context.Context, s *db.Store, c db.Container, name string) error {
	return s.Exec(ctx, `
		insert into terraform_states (project_id, name) values (@project, @name)
		on conflict on constraint terraform_states_project_id_key do nothing`,
		pgx.NamedArgs{"project": c.ID(), "name": name})
}

// stateDocument is the place that documents are sealed for.
const stateDocument = "terraform_state_versions.document"

type stateVersion struct {
	ID     int64  `db:"id"`
	Serial int64  `db:"serial"`
	Sealed []byte `db:"sealed"`
}

// StateVersion returns the document with the serial and that serial, or the latest for nil.
func StateVersion(
	ctx context.Context, s *db.Store, state TerraformState, serial *int64,
) (document []byte, latest int64, err error) {
	w := db.NewWhere(nil)
	w.And(`state_id = @state`, state.ID)
	w.AndIf(serial != nil, `serial = @serial`, serial)
	v, err := db.One[stateVersion](ctx, s, "", `select id, serial, sealed from terraform_state_versions`+w.String()+`
		order by serial desc limit 1`, w.Args)
	if err != nil {
		return nil, 0, err
	}
	document, err = s.Seal.Open(stateDocument, v.ID, v.Sealed)
	return document, v.Serial, err
}

// addStateVersion stores a document as the version with the serial and deletes all but the latest
// keep versions.
func addStateVersion(
	ctx context.Context, s *db.Store, state TerraformState, serial int64, document []byte, keep int,
) error {
	id, err := s.NextID(ctx, "terraform_state_versions")
	if err != nil {
		return err
	}
	err = s.Exec(ctx, `
		insert into terraform_state_versions (id, state_id, serial, sealed) values (@id, @state, @serial, @sealed)`,
		pgx.NamedArgs{
			"id": id, "state": state.ID, "serial": serial, "sealed": s.Seal.Seal(stateDocument, id, document),
		})
	if err != nil {
		return err
	}
	return s.Exec(ctx, `
		delete from terraform_state_versions
		where state_id = @state and serial not in (
			select serial from terraform_state_versions where state_id = @state order by serial desc limit @keep)`,
		pgx.NamedArgs{"state": state.ID, "keep": keep})
}

// DeleteStateVersion deletes the version with the serial.
func DeleteStateVersion(ctx context.Context, s *db.Store, state TerraformState, serial int64) error {
	n, err := s.Affected(ctx, `delete from terraform_state_versions where state_id = @state and serial = @serial`,
		pgx.NamedArgs{"state": state.ID, "serial": serial})
	if err == nil && n == 0 {
		err = fault.NotFound("")
	}
	return err
}

// maxVersions is how many versions of a state are kept.
const maxVersions = 30

// StateLockedError reports that a state is locked by somebody else.
type StateLockedError struct{ Holder StateLock }

// Error names the lock.
func (e *StateLockedError) Error() string { return "the state is locked: " + e.Holder.ID }

// LockTerraformState locks a state, and creates it if there is none. Locking again with the same ID
// succeeds, so that a client may repeat a request whose answer was lost.
func LockTerraformState(ctx context.Context, st *db.Store, c db.Container, name string, lock StateLock) error {
	_, err := changeState(ctx, st, c, name, func(_ *db.Store, s *TerraformState) error {
		if s.Lock != nil && s.Lock.ID != lock.ID {
			return &StateLockedError{*s.Lock}
		}
		s.Lock = &lock
		return nil
	})
	return err
}

// UnlockTerraformState removes the lock with the ID, or any lock for an empty ID. An unlocked state
// stays unlocked.
func UnlockTerraformState(ctx context.Context, st *db.Store, c db.Container, name, id string) error {
	_, err := TerraformStates(st, c).Change(ctx, TerraformStateBy(name), func(_ *db.Store, s *TerraformState) error {
		if s.Lock != nil && id != "" && s.Lock.ID != id {
			return &StateLockedError{*s.Lock}
		}
		s.Lock = nil
		return nil
	})
	return err
}

// SaveTerraformState stores a document as the next version of a state, and creates the state if
// there is none. The serial in the document must be greater than the latest, and lock must be the
// ID of the present lock.
func SaveTerraformState(ctx context.Context, st *db.Store, c db.Container, name, lock string, document []byte) error {
	var head struct {
		Serial *int64 `json:"serial"`
	}
	switch err := json.Unmarshal(document, &head); {
	case err != nil:
		return fault.Param("serial is invalid").Because(err)
	case head.Serial == nil:
		return fault.Param("serial is missing")
	case *head.Serial < 0:
		return fault.Param("serial is invalid")
	}
	return st.Tx(ctx, func(st *db.Store) error {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		if most := settings.MaxTerraformState; most > 0 && int64(len(document)) > most {
			refused := fault.TooLarge()
			refused.What = fmt.Sprintf("The state is larger than the %d bytes that this server stores", most)
			return refused
		}
		state, err := changeState(ctx, st, c, name,
			func(_ *db.Store, s *TerraformState) error { return checkLock(*s, lock) })
		if err != nil {
			return err
		}
		if err := checkSerial(ctx, st, state, *head.Serial); err != nil {
			return err
		}
		return addStateVersion(ctx, st, state, *head.Serial, document, maxVersions)
	})
}

// DeleteTerraformState deletes a state and all its versions, unless somebody else has locked it.
func DeleteTerraformState(ctx context.Context, st *db.Store, c db.Container, name, lock string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		state, err := TerraformStates(st, c).Change(ctx, TerraformStateBy(name),
			func(_ *db.Store, s *TerraformState) error {
				return checkLock(*s, lock)
			})
		if err != nil {
			return err
		}
		return TerraformStates(st, c).Delete(ctx, db.ByID(state.ID),
			func(context.Context, time.Time) error { return nil })
	})
}

// changeState applies edit to a state, and creates it first if there is none.
func changeState(
	ctx context.Context, st *db.Store, c db.Container, name string, edit db.Edit[TerraformState],
) (state TerraformState, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := insertMissingState(ctx, st, c, name); err != nil {
			return err
		}
		state, err = TerraformStates(st, c).Change(ctx, TerraformStateBy(name), edit)
		return err
	})
	return state, err
}

// checkLock refuses a write whose lock is not the present one, including a write whose lock was
// removed.
func checkLock(s TerraformState, lock string) error {
	switch {
	case s.Lock == nil && lock == "":
		return nil
	case s.Lock == nil:
		return fault.Conflict("The state is not locked any more")
	case s.Lock.ID != lock:
		return &StateLockedError{*s.Lock}
	}
	return nil
}

// checkSerial refuses a serial that is not greater than the latest: it is taken, or its version
// would never be the latest.
func checkSerial(ctx context.Context, st *db.Store, state TerraformState, serial int64) error {
	_, latest, err := StateVersion(ctx, st, state, nil)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return nil
	case err != nil:
		return err
	case serial == latest:
		return fault.Invalid("version", "has already been taken")
	case serial < latest:
		return fault.Invalid("version", fmt.Sprintf("must be greater than %d", latest))
	}
	return nil
}

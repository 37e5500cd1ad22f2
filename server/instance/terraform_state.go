package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// keptVersions is how many versions of a state are kept: enough to go back to, and not one of every run for ever.
const keptVersions = 30

// StateLockedError says that somebody else has locked a state.
type StateLockedError struct{ Holder StateLock }

// Error names the lock.
func (e *StateLockedError) Error() string { return "the state is locked: " + e.Holder.ID }

// LockTerraformState locks a state, which is made by that if there is none. A lock with the ID of the one that is held is
// that one, so that a client whose answer was lost may ask again.
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

// UnlockTerraformState frees a state from the lock with that ID, from whatever lock there is for none. A state that is not
// locked stays so.
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

// SaveTerraformState stores a document as the next version of a state, which is made by that if there is none. The serial
// in the document has to be a new one, and the lock that of the caller, if he has one.
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
		state, err := changeState(ctx, st, c, name, func(_ *db.Store, s *TerraformState) error { return mayWrite(*s, lock) })
		if err != nil {
			return err
		}
		if err := follows(ctx, st, state, *head.Serial); err != nil {
			return err
		}
		return AddStateVersion(ctx, st, state, *head.Serial, document, keptVersions)
	})
}

// DeleteTerraformState removes a state and all its versions, unless somebody else has locked it.
func DeleteTerraformState(ctx context.Context, st *db.Store, c db.Container, name, lock string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		state, err := TerraformStates(st, c).Change(ctx, TerraformStateBy(name), func(_ *db.Store, s *TerraformState) error {
			return mayWrite(*s, lock)
		})
		if err != nil {
			return err
		}
		return TerraformStates(st, c).Delete(ctx, db.ByID(state.ID), func(context.Context, time.Time) error { return nil })
	})
}

// changeState lets edit change a state that there need not be yet.
func changeState(
	ctx context.Context, st *db.Store, c db.Container, name string, edit db.Edit[TerraformState],
) (state TerraformState, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := ProvideTerraformState(ctx, st, c, name); err != nil {
			return err
		}
		state, err = TerraformStates(st, c).Change(ctx, TerraformStateBy(name), edit)
		return err
	})
	return state, err
}

// mayWrite holds a write to the lock: its own, or none where it has none. One whose lock was taken away stops there.
func mayWrite(s TerraformState, lock string) error {
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

// follows refuses a serial that is not above the latest: it is taken, or nobody would ever see what is saved under it.
func follows(ctx context.Context, st *db.Store, state TerraformState, serial int64) error {
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

package db

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"hew/server/fault"
)

// refused turns what Postgres refused on behalf of a constraint into a fault about the field, text that no encoding has
// into a bad request, and a database that cannot be reached into a server that is not available, which clients ask again;
// every other error passes unchanged.
func refused(err error) error {
	var unreachable *pgconn.ConnectError
	if errors.As(err, &unreachable) {
		return fault.Unavailable().Because(err)
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	if text, ok := Conflicts[pg.ConstraintName]; ok {
		return fault.Conflict(text).Because(err)
	}
	if c, ok := Words(pg.ConstraintName); ok {
		return fault.Invalid(c.field, c.text).Because(err)
	}
	switch pg.Code {
	case "22021", "22P05": // character_not_in_repertoire, untranslatable_character: a NUL byte, usually
		return fault.BadRequest("text contains characters that cannot be stored").Because(err)
	case "22003": // numeric_value_out_of_range
		return fault.BadRequest("a number is out of range").Because(err)
	}
	return err
}

// Words finds what a violated constraint is answered with.
func Words(constraint string) (refusal, bool) {
	if c, ok := Constraints[constraint]; ok {
		return c, true
	}
	for suffix, c := range ofHeld {
		if strings.HasSuffix(constraint, suffix) {
			return c, true
		}
	}
	return refusal{}, false
}

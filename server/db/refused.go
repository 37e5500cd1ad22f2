package db

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"hew/server/fault"
)

// refused turns a violated constraint into its refusal, a number or text that cannot be stored into
// a bad request, and a database that cannot be reached or was lost into an unavailable server,
// which clients ask again. Every other error passes unchanged.
func (s *Store) refused(err error) error {
	if unreachable(err) {
		return fault.Unavailable().Because(err)
	}
	if errors.Is(err, errOutOfRange) {
		return outOfRange(err)
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	if c, ok := s.RefusalOf(pg.ConstraintName); ok {
		if c.Conflict != "" {
			return fault.Conflict(c.Conflict).Because(err)
		}
		return fault.Invalid(c.Field, c.Text).Because(err)
	}
	switch pg.Code {
	case "22021", "22P05": // character_not_in_repertoire, untranslatable_character: a NUL byte, usually
		return fault.BadRequest("text contains characters that cannot be stored").Because(err)
	case "22003": // numeric_value_out_of_range
		return outOfRange(err)
	case "54000": // program_limit_exceeded: a text is longer than an index can hold
		return fault.BadRequest("a text is too long to be stored").Because(err)
	}
	return err
}

// unreachable reports whether the database cannot be reached, or was lost while it worked: it was
// stopped, it crashed, or the connection broke.
func unreachable(err error) bool {
	var (
		connect *pgconn.ConnectError
		pg      *pgconn.PgError
		network net.Error
	)
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false // the caller gave up
	case errors.As(err, &connect):
		return true
	case errors.As(err, &pg): // connection exceptions; admin_shutdown, crash_shutdown, cannot_connect_now
		return strings.HasPrefix(pg.Code, "08") || slices.Contains([]string{"57P01", "57P02", "57P03"}, pg.Code)
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &network) || pgconn.SafeToRetry(err) // an earlier statement of the transaction has met it
}

func outOfRange(err error) error {
	return fault.BadRequest(errOutOfRange.Error()).Because(errors.Join(errOutOfRange, err))
}

// Overtaken reports whether a transaction failed because another one got in its way: it stored the
// same first, or both waited for each other. Run again, the transaction sees what the other did.
func Overtaken(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "23505", "40001", "40P01": // unique_violation, serialization_failure, deadlock_detected
		return true
	}
	return false
}

// RefusalOf returns how a violated constraint is answered.
func (s *Store) RefusalOf(constraint string) (Refusal, bool) {
	if c, ok := s.refusals[constraint]; ok {
		return c, true
	}
	if c, ok := ownRefusals[constraint]; ok {
		return c, true
	}
	for suffix, c := range heldRefusals {
		if strings.HasSuffix(constraint, suffix) {
			return c, true
		}
	}
	return Refusal{}, false
}

package db

import (
	"errors"

	"github.com/jackc/pgx/v5/pgtype"
)

// errOutOfRange is the cause of every error about a number that its column cannot hold.
var errOutOfRange = errors.New("a number is out of range")

// narrowTypes are the types of numbers that are narrower than Go's, with codecs that return
// errOutOfRange for numbers beyond them. Arrays of them encode their elements with the same codecs.
var narrowTypes = []*pgtype.Type{
	{Name: "int2", OID: pgtype.Int2OID, Codec: narrowCodec{pgtype.Int2Codec{}}},
	{Name: "int4", OID: pgtype.Int4OID, Codec: narrowCodec{pgtype.Int4Codec{}}},
}

type narrowCodec struct{ pgtype.Codec }

// PlanEncode returns the plan of the codec within, whose errors it marks.
func (c narrowCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	plan := c.Codec.PlanEncode(m, oid, format, value)
	if plan == nil {
		return nil
	}
	return narrowPlan{plan}
}

type narrowPlan struct{ pgtype.EncodePlan }

// Encode appends the number to buf. It fails only if the number is out of range.
func (p narrowPlan) Encode(value any, buf []byte) ([]byte, error) {
	buf, err := p.EncodePlan.Encode(value, buf)
	if err != nil {
		err = errors.Join(errOutOfRange, err)
	}
	return buf, err
}

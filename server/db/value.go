package db

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// The levels that the store itself knows of; policy has them all.
const (
	Guest      = 10 // the least that sees a private thing
	Maintainer = 40
	Owner      = 50
)

// AsOwner is the condition that a membership m is that of an owner.
var AsOwner = `m.access_level = ` + strconv.Itoa(Owner)

// Visibility says who may see a group or project without being a member; the higher, the more. On
// the wire it is a word.
type Visibility int16

// The visibilities.
const (
	Private  Visibility = 0
	Internal Visibility = 10
	Public   Visibility = 20
)

// ParseVisibility reads the word; an unknown one is Private.
func ParseVisibility(word string) Visibility {
	switch word {
	case "public":
		return Public
	case "internal":
		return Internal
	}
	return Private
}

// String is the word: private, internal or public.
func (v Visibility) String() string {
	switch v {
	case Public:
		return "public"
	case Internal:
		return "internal"
	}
	return "private"
}

// MarshalJSON writes the word.
func (v Visibility) MarshalJSON() ([]byte, error) { return json.Marshal(v.String()) }

// UnmarshalJSON reads the word.
func (v *Visibility) UnmarshalJSON(text []byte) error {
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return err
	}
	*v = ParseVisibility(word)
	return nil
}

// Date is a day, in UTC: 2027-01-31. A missing date is a nil *Date.
type Date struct{ time.Time }

// DateOf is the day of a time; nil for the zero time.
func DateOf(t time.Time) *Date {
	if t.IsZero() {
		return nil
	}
	return &Date{t.UTC().Truncate(24 * time.Hour)}
}

// Today is the current day.
func Today() Date { return *DateOf(time.Now()) }

// Add is the date days later, or earlier if negative.
func (d Date) Add(days int) Date { return Date{d.AddDate(0, 0, days)} }

// String is the date as it goes over the wire.
func (d Date) String() string { return d.Format(time.DateOnly) }

// MarshalJSON writes 2027-01-31.
func (d Date) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON reads 2027-01-31.
func (d *Date) UnmarshalJSON(text []byte) error {
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return err
	}
	t, err := time.Parse(time.DateOnly, word)
	d.Time = t
	return err
}

// ScanDate reads a Postgres date; null has to go to a pointer.
func (d *Date) ScanDate(v pgtype.Date) error {
	if !v.Valid || v.InfinityModifier != pgtype.Finite {
		return fmt.Errorf("not a day: %+v", v)
	}
	d.Time = v.Time
	return nil
}

// DateValue is the Postgres date.
func (d Date) DateValue() (pgtype.Date, error) { return pgtype.Date{Time: d.Time, Valid: true}, nil }

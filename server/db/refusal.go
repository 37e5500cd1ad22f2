package db

import "maps"

// Messages about a field, in the words of the public API.
const (
	Taken         = "has already been taken"
	Missing       = "does not exist"
	CannotBeBlank = "can't be blank"
	NotIncluded   = "is not included in the list"
)

// Refusal is how a violated constraint is answered. Rules check first, so as a rule only one of two
// requests at once meets a constraint.
type Refusal struct {
	Field, Text string // 400: what is wrong with which field
	Conflict    string // or 409, with this sentence
}

// Refusals are refusals by the name of the constraint. A domain lists those of its tables; a test
// demands one for every constraint of the schema.
type Refusals map[string]Refusal

// JoinRefusals returns the refusals of all tables.
func JoinRefusals(tables ...Refusals) Refusals {
	all := Refusals{}
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// Invalid returns the refusal that answers 400 and says what is wrong with a field.
func Invalid(field, text string) Refusal { return Refusal{Field: field, Text: text} }

// Conflict returns the refusal that answers 409 with a sentence.
func Conflict(text string) Refusal { return Refusal{Conflict: text} }

// ownRefusals are those of the tables of this package.
var ownRefusals = Refusals{"iids_key": Invalid("iid", Taken)}

// heldRefusals are those that every table of what groups and projects hold has, by what follows the
// name of the table.
var heldRefusals = Refusals{
	"_namespace_id_fkey": Invalid("group", Missing),
	"_project_id_fkey":   Invalid("project", Missing),
	"_container_check":   Invalid("source", "is invalid"),
	"_target_check":      Invalid("target", "is invalid"),
}

package ci

import (
	"context"
	"time"

	"hew/server/db"
)

// Variable is what jobs are given by name: a variable of a group, of a project, or of the instance, whose Container is empty.
// Its value is sealed. In one place a key may be there several times, for different environments.
type Variable struct {
	ID int64 `db:"id,auto" json:"-"`
	db.Container
	Key              string    `db:"key" json:"key"`
	Sealed           []byte    `db:"sealed" json:"-"`
	VariableType     string    `db:"variable_type" json:"variable_type"` // env_var, file
	EnvironmentScope string    `db:"environment_scope" json:"environment_scope"`
	Description      *string   `db:"description" json:"description"`
	Protected        bool      `db:"protected" json:"protected"`
	Masked           bool      `db:"masked" json:"masked"`
	Hidden           bool      `db:"hidden" json:"hidden"` // its value is shown to nobody
	Raw              bool      `db:"raw" json:"raw"`
	CreatedAt        time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt        time.Time `db:"updated_at,auto" json:"-"`
}

// Variables are the variables of a group or project, or those of the instance. One that is made is a NewVariable.
func Variables(s *db.Store, c db.Container) db.Held[Variable] {
	variables := db.HeldIn[Variable](s, c, "variables")
	variables.What = "Variable"
	variables.Instance = true
	return variables
}

// NewVariable has its id already, because its value is sealed for the row it belongs to.
func NewVariable(ctx context.Context, s *db.Store, c db.Container) (Variable, error) {
	id, err := s.NextID(ctx, "variables")
	return Variable{ID: id, Container: c, VariableType: "env_var", EnvironmentScope: "*"}, err
}

// VariableBy is the variable with that key, for that environment if there is one said.
func VariableBy(key, scope string) db.Which {
	return func(w *db.Where) {
		w.And(true, `t.key = @key`, key)
		w.And(scope != "", `t.environment_scope = @scope`, scope)
	}
}

// variableValue is where values are, for their seals.
const variableValue = "variables.value"

// SetVariableValue seals the value into the variable.
func SetVariableValue(s *db.Store, v *Variable, value string) {
	v.Sealed = s.Seal.Seal(variableValue, v.ID, []byte(value))
}

// VariableValue is the value in clear.
func VariableValue(s *db.Store, v Variable) (string, error) {
	value, err := s.Seal.Open(variableValue, v.ID, v.Sealed)
	return string(value), err
}

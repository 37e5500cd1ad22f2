package ci

import (
	"context"
	"fmt"
	"time"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// Variable is a CI/CD variable of a group, of a project, or of the instance, whose Container is
// empty. Its value is sealed. A key may occur several times in one place, for different
// environments.
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

// Variables returns the variables of a group or project, or of the instance for an empty container.
func Variables(s *db.Store, c db.Container) db.Held[Variable] {
	variables := db.NewHeld[Variable](s, c, "variables")
	variables.What = "Variable"
	variables.Instance = true
	return variables
}

// newVariable returns a variable with the defaults. It has its id already, because its value is
// sealed for its row.
func newVariable(ctx context.Context, s *db.Store, c db.Container) (Variable, error) {
	id, err := s.NextID(ctx, "variables")
	return Variable{ID: id, Container: c, VariableType: "env_var", EnvironmentScope: "*"}, err
}

// variableBy returns a condition that matches variables with the key, and with the environment
// scope unless that is empty.
func variableBy(key, scope string) db.Condition {
	return func(w *db.Where) {
		w.And(`t.key = @key`, key)
		w.AndIf(scope != "", `t.environment_scope = @scope`, scope)
	}
}

// variableValue is where values are, for their seals.
const variableValue = "variables.value"

// setVariableValue seals the value into the variable.
func setVariableValue(s *db.Store, v *Variable, value string) {
	v.Sealed = s.Seal.Seal(variableValue, v.ID, []byte(value))
}

// VariableValue returns the value of a variable in clear.
func VariableValue(s *db.Store, v Variable) (string, error) {
	value, err := s.Seal.Open(variableValue, v.ID, v.Sealed)
	return string(value), err
}

// VariableEdit is a change of a variable; a nil Value keeps the value.
type VariableEdit struct {
	Into  func(*Variable) error
	Value *string
}

// CreateVariable creates a variable of a group, a project or the instance.
func CreateVariable(ctx context.Context, st *db.Store, c db.Container, edit VariableEdit) (v Variable, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := checkVariableLimit(ctx, st, c); err != nil {
			return err
		}
		if v, err = newVariable(ctx, st, c); err != nil {
			return err
		}
		if err := edit.apply(st, &v); err != nil {
			return err
		}
		if _, err = Variables(st, c).One(ctx, variableBy(v.Key, v.EnvironmentScope)); err == nil {
			return fault.Invalid("key", fmt.Sprintf("(%s) has already been taken", v.Key))
		} else if fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		v, err = Variables(st, c).Create(ctx, v)
		return err
	})
	return v, err
}

// VariableOf returns the variable with the key. Where there are several, scope must name the
// environment.
func VariableOf(ctx context.Context, st *db.Store, c db.Container, key, scope string) (Variable, error) {
	list, _, err := Variables(st, c).List(ctx, db.Page{Limit: 2}, variableBy(key, scope))
	switch {
	case err != nil:
		return Variable{}, err
	case len(list) == 0:
		return Variable{}, fault.NotFound("Variable")
	case len(list) > 1:
		return Variable{}, fault.Conflict(
			"There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
		)
	}
	return list[0], nil
}

// ChangeVariable applies edit to the variable with the key and stores it.
func ChangeVariable(
	ctx context.Context, st *db.Store, c db.Container, key, scope string, edit VariableEdit,
) (v Variable, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if v, err = VariableOf(ctx, st, c, key, scope); err != nil {
			return err
		}
		v, err = Variables(st, c).Change(ctx, db.ByID(v.ID), edit.apply)
		return err
	})
	return v, err
}

// apply edits a variable and checks the outcome, including its value.
func (e VariableEdit) apply(st *db.Store, v *Variable) error {
	was := *v
	if err := e.Into(v); err != nil {
		return err
	}
	if was.Hidden && (!v.Masked || !v.Hidden) {
		return fault.Invalid("base", "The visibility setting cannot be changed for masked and hidden variables.")
	}
	if e.Value != nil {
		setVariableValue(st, v, *e.Value)
	}
	value, err := VariableValue(st, *v)
	if err != nil {
		return err
	}
	return checkVariable(*v, value)
}

const maxValueLength = 10_000

// checkVariable returns the problems of a variable.
func checkVariable(v Variable, value string) error {
	var wrong check.Problems
	if wrong.Fits("key", v.Key, 255) && !catalogue.IsVariableKey(v.Key) {
		wrong.On("key", "can contain only letters, digits and '_'.")
	}
	scope := v.EnvironmentScope
	if wrong.Fits("environment_scope", scope, 255) &&
		!catalogue.IsEnvironmentScope(scope) {
		wrong.On("environment_scope",
			"can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces, but it cannot "+
				"start or end with '/'")
	}
	if v.Description != nil {
		wrong.Fits("description", *v.Description, 255)
	}
	if len([]rune(value)) > maxValueLength {
		wrong.On(
			"value", fmt.Sprintf("The value of the provided variable exceeds the %d character limit", maxValueLength),
		)
	}
	if v.Masked && (v.Raw && !catalogue.IsRawMaskable(value) || !v.Raw && !catalogue.IsMaskable(value)) {
		wrong.On("value", "is invalid")
	}
	return wrong.Err()
}

// The maximum numbers of variables; the plan limits those of the instance (gaps §13.3).
const (
	maxGroupVariables   = 30_000
	maxProjectVariables = 8_000
)

func checkVariableLimit(ctx context.Context, st *db.Store, c db.Container) error {
	most, what := maxGroupVariables, c.Kind()
	switch c.Kind() {
	case "project":
		most = maxProjectVariables
	case "instance":
		plan, err := setting.ReadPlanLimits(ctx, st, "default")
		if err != nil {
			return err
		}
		most, what = int(plan.Limits.CIInstanceLevelVariables), "instance level"
	}
	n, err := Variables(st, c).Count(ctx)
	if err == nil && most > 0 && n >= most {
		err = fault.Invalid("base", fmt.Sprintf("Maximum number of ci %s variables (%d) exceeded", what, most))
	}
	return err
}

package ci

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/protect"
	"hew/server/tree"
)

// StoredVariable is a variable of the instance, a group or a project in clear.
type StoredVariable struct {
	expression.Variable
	Masked bool

	scope string // the environments that it is for
	depth int    // 0: of the instance; then the groups from the root on; the project
}

// StoredVariables are those that the jobs of a project may have.
type StoredVariables []StoredVariable

// ReadStoredVariables returns the variables of the instance, of the groups of a project and of the
// project itself. Protected ones are left out unless the pipeline is for a protected ref.
func ReadStoredVariables(
	ctx context.Context, st *db.Store, p tree.Project, protected bool,
) (StoredVariables, error) {
	rows, err := db.Many[Variable](ctx, st, `
		select t.* from variables t
		where (t.namespace_id = any(@spaces) or t.project_id = @project
				or t.namespace_id is null and t.project_id is null)
			and (@protected or not t.protected)
		order by t.project_id is not null, t.namespace_id is not null,
			array_position(@spaces::bigint[], t.namespace_id), t.id`,
		pgx.NamedArgs{"spaces": p.NamespaceIDs, "project": p.ID, "protected": protected})
	if err != nil {
		return nil, err
	}
	list := make(StoredVariables, len(rows))
	for n, v := range rows {
		value, err := VariableValue(st, v)
		if err != nil {
			return nil, err
		}
		list[n] = StoredVariable{
			Variable: expression.Variable{Key: v.Key, Value: value, Raw: v.Raw, File: v.VariableType == "file"},
			Masked:   v.Masked, scope: v.EnvironmentScope,
		}
		switch {
		case v.ProjectID != nil:
			list[n].depth = len(p.NamespaceIDs) + 1
		case v.NamespaceID != nil:
			list[n].depth = 1 + slices.Index(p.NamespaceIDs, *v.NamespaceID)
		}
	}
	return list, nil
}

// For returns the variables for the jobs of an environment, in ascending precedence (ci §2.4): of
// one place those of the environment itself after those for several environments. Jobs without an
// environment, whose name is empty, get only those for all.
func (s StoredVariables) For(environment string) StoredVariables {
	var chosen StoredVariables
	for _, v := range s {
		if v.scope == "*" || environment != "" && protect.Matches(v.scope, environment) {
			chosen = append(chosen, v)
		}
	}
	slices.SortStableFunc(chosen, func(a, b StoredVariable) int {
		if a.depth != b.depth {
			return a.depth - b.depth
		}
		return specificity(a.scope, environment) - specificity(b.scope, environment)
	})
	return chosen
}

// specificity orders the scopes that match an environment: the name itself comes last, and before
// it the scopes with more text.
func specificity(scope, environment string) int {
	if scope == environment {
		return 1 << 20
	}
	return len(strings.ReplaceAll(scope, "*", ""))
}

// Plain returns the variables as conditions and jobs see them.
func (s StoredVariables) Plain() []expression.Variable {
	list := make([]expression.Variable, len(s))
	for n, v := range s {
		list[n] = v.Variable
	}
	return list
}

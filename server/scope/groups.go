package scope

import (
	"context"
	"strconv"

	"hew/server/policy"
	"hew/server/tree"
)

// InGroup opens the scope of a group that a parameter names, by the rules of a guard.
func (a Anyone) InGroup(ctx context.Context, id int64, need policy.Ability) (InGroup, error) {
	found, err := tree.GroupFor(ctx, a.Store, strconv.FormatInt(id, 10), a.Caller.ID())
	if err != nil {
		return InGroup{}, err
	}
	g := InGroup{a, found}
	return g, g.Place().Admit(need, "")
}

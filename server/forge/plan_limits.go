package forge

import (
	"context"

	"hew/server/store"
)

// ChangePlanLimits changes the limits of a plan.
func ChangePlanLimits(ctx context.Context, st *store.Store, plan string, change func(*store.Limits)) (l store.PlanLimits, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if l, err = st.HoldPlanLimits(ctx, plan); err != nil {
			return err
		}
		change(&l.Limits)
		return st.UpdatePlanLimits(ctx, l)
	})
	return l, err
}

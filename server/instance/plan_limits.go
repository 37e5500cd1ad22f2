package instance

import (
	"context"

	"hew/server/db"
	"hew/server/setting"
)

// ChangePlanLimits applies change to the limits of a plan and returns them.
func ChangePlanLimits(
	ctx context.Context, st *db.Store, plan string, change func(*setting.Limits),
) (l setting.PlanLimits, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if l, err = setting.HoldPlanLimits(ctx, st, plan); err != nil {
			return err
		}
		change(&l.Limits)
		return setting.UpdatePlanLimits(ctx, st, l)
	})
	return l, err
}

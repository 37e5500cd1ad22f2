package api

import (
	"context"
	"fmt"

	"hew/server/ci"
	"hew/server/code"
	"hew/server/fault"
	"hew/server/protect"
	"hew/server/scope"
)

// mayRunRef returns a fault unless the caller may run pipelines of a ref.
func mayRunRef(ctx context.Context, s scope.InProject, ref string) error {
	ok, err := ci.MayRun(ctx, s.Store, s.Project.Project, protect.Pusher{Who: s.Who()}, ref)
	if err == nil && !ok {
		err = fault.Invalid("base", fmt.Sprintf("You do not have sufficient permission to run a pipeline on '%s'. "+
			"Please select a different branch or contact your administrator for assistance.", code.ShortName(ref)))
	}
	return err
}

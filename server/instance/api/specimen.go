package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/instance"
	"hew/server/part"
)

// specimen creates n Terraform states of a project, each with one version.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ProjectID == nil {
		return values, nil
	}
	for i := range n {
		name := fmt.Sprint("v", i)
		if err := instance.SaveTerraformState(ctx, h, at.Container, name, "", []byte(`{"serial":1}`)); err != nil {
			return nil, err
		}
		values["name"], values["serial"] = name, "1"
	}
	return values, nil
}

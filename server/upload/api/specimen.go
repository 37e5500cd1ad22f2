package api

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/part"
	"hew/server/upload"
)

// specimen gives a group or project n uploads of the owner.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ID() == 0 {
		return values, nil
	}
	for i := range n {
		f := upload.File{Name: fmt.Sprintf("notes-%d.txt", i), Content: strings.NewReader("Notes")}
		u, err := upload.Create(ctx, h, at.Container, f, at.Owner.ID)
		if err != nil {
			return nil, err
		}
		values["upload_id"], values["secret"], values["filename"] = fmt.Sprint(u.ID), u.Secret, u.Name
	}
	return values, nil
}

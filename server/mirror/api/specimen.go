package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/mirror"
	"hew/server/part"
)

// specimen creates n push mirrors of a project, where CreatePushMirror would refuse the
// eleventh, and a pull mirror.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ProjectID == nil {
		return values, nil
	}
	for range n {
		m, err := mirror.NewPushMirror(ctx, h, *at.ProjectID)
		if err != nil {
			return nil, err
		}
		m.Enabled, m.AuthMethod, m.PublicKey = true, mirror.ByKey, new("ssh-ed25519 AAAA")
		if m, err = mirror.PushMirrors(h, at.Container).Create(ctx, m); err != nil {
			return nil, err
		}
		values["mirror_id"] = fmt.Sprint(m.ID)
	}
	return values, mirror.Follow(ctx, h, *at.ProjectID, "https://bot:secret@mirror.example.com/acme/web.git")
}

package load

import (
	"context"
	"time"

	"hew/server/policy"
	"hew/server/transfer/archive"
)

// storeMembers makes direct members of those who are known here, with Options.MaxLevel at most.
// Access that has ended is left out, and so are invitations and requests.
func storeMembers(_ context.Context, b *batch, documents []Document) error {
	return each(b, documents, func(_ Document, m *archive.Member) error {
		source := m.UserID
		if m.User != nil {
			source = &m.User.ID
		}
		id, ok := b.known(source)
		if !ok || m.RequestedAt != nil || id == b.Importer.ID {
			return nil
		}
		expires, err := date("expires_at", m.ExpiresAt)
		if err != nil {
			return err
		}
		if expires != nil && expires.(string) <= time.Now().UTC().Format(time.DateOnly) {
			return nil
		}
		level := policy.Level(0)
		for _, l := range []policy.Level{
			policy.Minimal, policy.Guest, policy.Planner, policy.Reporter, policy.Developer, policy.Maintainer,
			policy.Owner,
		} {
			if m.AccessLevel >= int(l) && l <= b.MaxLevel {
				level = l
			}
		}
		if level < policy.Guest {
			return nil
		}
		created, updated := span(m.CreatedAt, m.UpdatedAt)
		b.add("members", row{
			"user_id": id, "project_id": b.project.ID, "access_level": level, "expires_at": expires,
			"membership_state": "active", "created_by_id": b.Importer.ID, "override": false,
			"created_at": created, "updated_at": updated,
		})
		return nil
	})
}

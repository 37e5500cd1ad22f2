package load

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/policy"
	"hew/server/transfer/archive"
)

// The levels of roles in protections.
const (
	developer  = int(policy.Developer)
	maintainer = int(policy.Maintainer)
	admins     = int(policy.Admins)
)

// storeProtectedBranches stores protected branches in place of those of the same name.
func storeProtectedBranches(ctx context.Context, b *batch, documents []Document) error {
	if err := b.reserve(ctx, "protected_refs", len(documents)); err != nil {
		return err
	}
	var names []string
	err := each(b, documents, func(_ Document, p *archive.ProtectedBranch) error {
		created, updated := span(p.CreatedAt, p.UpdatedAt)
		id, err := b.addProtected(row{
			"kind": "branch", "name": p.Name, "allow_force_push": p.AllowForcePush,
			"code_owner_approval_required": p.CodeOwnerApprovalRequired, "created_at": created, "updated_at": updated,
		})
		if err != nil {
			return err
		}
		names = append(names, p.Name)
		b.addLevels(id, "push", p.PushAccessLevels, true)
		b.addLevels(id, "merge", p.MergeAccessLevels, true)
		b.addLevels(id, "unprotect", p.UnprotectAccessLevels, false)
		return nil
	})
	if err != nil {
		return err
	}
	return b.unprotect(ctx, "branch", names)
}

// storeProtectedTags does the same for tags.
func storeProtectedTags(ctx context.Context, b *batch, documents []Document) error {
	if err := b.reserve(ctx, "protected_refs", len(documents)); err != nil {
		return err
	}
	var names []string
	err := each(b, documents, func(_ Document, p *archive.ProtectedTag) error {
		created, updated := span(p.CreatedAt, p.UpdatedAt)
		id, err := b.addProtected(row{
			"kind": "tag", "name": p.Name, "allow_force_push": false, "code_owner_approval_required": false,
			"created_at": created, "updated_at": updated,
		})
		if err != nil {
			return err
		}
		names = append(names, p.Name)
		b.addLevels(id, "create", p.CreateAccessLevels, true)
		return nil
	})
	if err != nil {
		return err
	}
	return b.unprotect(ctx, "tag", names)
}

// addProtected adds the row of a protected ref.
func (b *batch) addProtected(r row) (int64, error) {
	name := r["name"].(string)
	if strings.TrimSpace(name) == "" || len(name) > 255 {
		return 0, invalid("name: can't be blank or longer than 255 characters")
	}
	id := b.take("protected_refs")
	r["id"], r["project_id"] = id, b.project.ID
	b.add("protected_refs", r)
	return id, nil
}

// unprotect removes the protections of the same names, such as that of the default branch, which a
// new repository gets.
func (b *batch) unprotect(ctx context.Context, kind string, names []string) error {
	return b.st.Exec(ctx, `
		delete from protected_refs where project_id = @project and kind = @kind and name = any(@names)`,
		pgx.NamedArgs{"project": b.project.ID, "kind": kind, "names": names})
}

// addLevels adds who may do something with a protected ref. Users who are not known here, and
// groups, are left out; if nobody is left of an act that needs somebody, maintainers are. Roles
// other than nobody and maintainers become maintainers, unless the importer owns the top group
// (transfer.md §1.3).
func (b *batch) addLevels(ref int64, act string, list []archive.AccessLevel, needed bool) {
	roles, users := map[int]bool{}, map[int64]bool{}
	for _, l := range list {
		switch {
		case l.UserID != nil:
			if id, ok := b.known(l.UserID); ok && !users[id] {
				users[id] = true
				b.addLevel(ref, act, nil, id)
			}
		case l.GroupID == nil && l.AccessLevel != nil:
			if level := b.roleOf(*l.AccessLevel, act); !roles[level] {
				roles[level] = true
				b.addLevel(ref, act, level, nil)
			}
		}
	}
	if len(roles)+len(users) == 0 && needed {
		b.addLevel(ref, act, maintainer, nil)
	}
}

func (b *batch) addLevel(ref int64, act string, level, user any) {
	b.add("protected_ref_levels", row{
		"protected_ref_id": ref, "act": act, "access_level": level, "user_id": user,
		"created_at": now(),
	})
}

// roleOf returns the level of a role that may do something.
func (b *batch) roleOf(level int, act string) int {
	switch level {
	case 0:
		if act == "unprotect" {
			return maintainer
		}
		return 0
	case developer, admins:
		if b.Owner {
			return level
		}
	}
	return maintainer
}

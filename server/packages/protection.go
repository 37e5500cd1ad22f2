package packages

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// Rule says who may publish and delete packages whose names match a pattern (gaps §16.1).
type Rule struct {
	ID          int64     `db:"id,auto"`
	ProjectID   int64     `db:"project_id"`
	NamePattern string    `db:"name_pattern"` // * stands for any characters
	Type        string    `db:"type"`         // of catalogue.PackageTypes, those of other hosts too
	Push        *string   `db:"minimum_access_level_for_push"`
	Remove      *string   `db:"minimum_access_level_for_delete"`
	CreatedAt   time.Time `db:"created_at,auto"`
	UpdatedAt   time.Time `db:"updated_at,auto"`
}

// ruleLevels are the levels that rules name.
var ruleLevels = map[string]policy.Level{
	"maintainer": policy.Maintainer, "owner": policy.Owner, "admin": policy.Admins,
}

// Rules returns the protection rules of a project.
func Rules(s *db.Store, projectID int64) db.Held[Rule] {
	return db.NewHeld[Rule](s, db.Container{ProjectID: &projectID}, "package_protection_rules")
}

const maxRules = 100 // of a project: all of them are read when something is published

// CreateRule adds a rule to a project.
func CreateRule(ctx context.Context, st *db.Store, r Rule) (Rule, error) {
	err := st.Tx(ctx, func(st *db.Store) error {
		rules := Rules(st, r.ProjectID)
		n, err := rules.Count(ctx)
		if err == nil {
			err = st.Locked(ctx)
		}
		switch {
		case err != nil:
			return err
		case n >= maxRules:
			return fault.Unprocessable(fmt.Sprintf(
				"A project may have %d package protection rules. Delete one, or use patterns with *.", maxRules))
		}
		if err := checkRule(r); err != nil {
			return err
		}
		r, err = rules.Create(ctx, r)
		return err
	})
	return r, err
}

// ChangeRule edits a rule and returns it.
func ChangeRule(ctx context.Context, st *db.Store, projectID, id int64, change func(*Rule)) (Rule, error) {
	return Rules(st, projectID).Change(ctx, db.ByID(id), db.Checked(func(r *Rule) error {
		change(r)
		return nil
	}, checkRule))
}

func checkRule(r Rule) error {
	var wrong check.Problems
	if strings.TrimSpace(r.NamePattern) == "" {
		wrong.On("package_name_pattern", check.Blank)
	}
	wrong.Fits("package_name_pattern", r.NamePattern, 255)
	if r.Push == nil && r.Remove == nil {
		wrong.On("base", "A rule must have at least a minimum access level for push or a minimum access level for delete.")
	}
	return wrong.Err()
}

// mayPublish returns why the publisher may not publish a package.
func mayPublish(ctx context.Context, s *db.Store, projectID int64, id Identity, by Publisher) error {
	protected, err := isProtected(ctx, s, projectID, id, by, "minimum_access_level_for_push")
	if err == nil && protected {
		err = fault.Forbidden("Package protected.")
	}
	return err
}

// mayDelete returns why the publisher, as a transaction sees them, may not delete a package, or a
// file of it.
func mayDelete(ctx context.Context, tx *db.Store, p Package, by Publisher) error {
	by, err := by.now(ctx, tx)
	if err != nil {
		return err
	}
	protected, err := isProtected(ctx, tx, p.ProjectID, p.Identity, by, "minimum_access_level_for_delete")
	if err == nil && protected {
		err = fault.Forbidden("Package is deletion protected.")
	}
	return err
}

// isProtected reports whether a rule demands a higher level than the publisher's, in one of its
// columns. Names match as their format compares them.
func isProtected(
	ctx context.Context, s *db.Store, projectID int64, id Identity, by Publisher, column string,
) (bool, error) {
	if by.Admin {
		return false, nil
	}
	var higher []string
	for name, level := range ruleLevels {
		if by.Level < level {
			higher = append(higher, name)
		}
	}
	name, folded := id.Name, `t.name_pattern`
	if id.Type == Nuget {
		name, folded = id.NameKey, `lower(t.name_pattern)`
	}
	return db.Value[bool](ctx, s, `
		select exists (select from package_protection_rules t where t.project_id = @project and t.type = @type
			and t.`+column+` = any(@higher)
			and @name::text like replace(regexp_replace(`+folded+`, '([\\%_])', '\\\1', 'g'), '*', '%'))`,
		pgx.NamedArgs{"project": projectID, "type": id.Type, "higher": higher, "name": name})
}

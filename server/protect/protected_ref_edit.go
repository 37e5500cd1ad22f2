package protect

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/tree"
)

// RefKey identifies a protected branch or tag.
type RefKey struct {
	In   db.Container
	Kind RefKind
	Name string
}

// RefEdit is what a request changes about a protected branch or tag. Who may act is given by role
// and one by one; both end in one list. The zero value changes nothing.
type RefEdit struct {
	Fill   func(*ProtectedRef)   // sets the fields other than the levels; nil: they stay
	Roles  map[RefAct]*int       // the one role that may act; nil: the roles stay
	Grants map[RefAct][]RefGrant // levels to add, change or remove

	Visible group.GroupFilter // the groups that the caller can see; no other group exists for them
}

// RefGrant is a level to add; with an id, a level to change or to remove.
type RefGrant struct {
	RefLevel
	Remove bool
}

// actsOf lists the acts that levels control, by kind of ref.
var actsOf = map[RefKind][]RefAct{
	Branch: {Push, Merge, Unprotect},
	Tag:    {Create},
}

// CreateProtectedRef protects a branch or tag, or a pattern of names, in a group or project (gaps
// §7.4). Acts without a level get the maintainers. The branch or tag need not exist.
func CreateProtectedRef(ctx context.Context, st *db.Store, key RefKey, edit RefEdit) (ref ProtectedRef, err error) {
	ref = ProtectedRef{Container: key.In, Kind: key.Kind, Name: key.Name}
	err = st.Tx(ctx, func(st *db.Store) error {
		refs := ProtectedRefs(st, key.In, key.Kind)
		switch _, err := refs.One(ctx, RefByName(key.Name)); {
		case err == nil:
			return fault.Conflict(fmt.Sprintf("Protected %s '%s' already exists", key.Kind, key.Name))
		case fault.CodeOf(err) != fault.CodeNotFound:
			return err
		}
		edit := edit.withMaintainers(key.Kind)
		levels, err := edit.apply(ctx, st, &ref)
		if err != nil {
			return err
		}
		if ref, err = refs.Create(ctx, ref); err != nil {
			return err
		}
		if err := setRefLevels(ctx, st, ref.ID, levels); err != nil {
			return err
		}
		ref, err = refs.One(ctx, db.ByID(ref.ID))
		return err
	})
	return ref, err
}

// ChangeProtectedRef changes a protected branch or tag in place. It and the levels that stay keep
// their ids, since approval rules refer to them. It fails unless by may unprotect it.
func ChangeProtectedRef(
	ctx context.Context, st *db.Store, key RefKey, by policy.Who, edit RefEdit,
) (ProtectedRef, error) {
	return ProtectedRefs(st, key.In, key.Kind).Change(ctx, RefByName(key.Name),
		func(st *db.Store, r *ProtectedRef) error {
			if err := checkUnprotect(ctx, st, by, *r); err != nil {
				return err
			}
			levels, err := edit.apply(ctx, st, r)
			if err != nil {
				return err
			}
			return setRefLevels(ctx, st, r.ID, levels)
		})
}

// RemoveProtection unprotects a branch or tag. It fails unless user by may do so, or if unless
// fails, which gets the time of the last change.
func RemoveProtection(
	ctx context.Context, st *db.Store, key RefKey, by policy.Who, unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		refs := ProtectedRefs(st, key.In, key.Kind)
		return refs.Delete(ctx, RefByName(key.Name), func(ctx context.Context, changed time.Time) error {
			ref, err := refs.One(ctx, RefByName(key.Name)) // again, under the lock
			if err != nil {
				return err
			}
			if err := checkUnprotect(ctx, st, by, ref); err != nil {
				return err
			}
			return unless(ctx, changed)
		})
	})
}

// checkUnprotect refuses a user who is not among those who may unprotect a ref. Where nobody is
// named, the role that the route demands is enough. The caller holds the lock of the ref: the level
// of the user is read under it, since the one in by is from before the request waited.
func checkUnprotect(ctx context.Context, st *db.Store, by policy.Who, ref ProtectedRef) error {
	levels := ref.LevelsOf(Unprotect)
	if by.Admin || len(levels) == 0 {
		return nil
	}
	now, err := tree.LevelIn(ctx, st, ref.Container, by.ID)
	if err != nil {
		return err
	}
	var groups []int64
	for _, l := range levels {
		switch {
		case l.AccessLevel != nil && now >= *l.AccessLevel, l.UserID != nil && *l.UserID == by.ID:
			return nil
		case l.GroupID != nil:
			groups = append(groups, *l.GroupID)
		}
	}
	mine, err := groupsOf(ctx, st, by.ID, groups)
	if err == nil && len(mine) == 0 {
		err = fault.Forbidden("")
	}
	return err
}

// withMaintainers returns the edit with the role of maintainers for every act that has no level.
func (e RefEdit) withMaintainers(kind RefKind) RefEdit {
	roles := map[RefAct]*int{}
	maps.Copy(roles, e.Roles)
	for _, act := range actsOf[kind] {
		if roles[act] == nil && len(e.Grants[act]) == 0 {
			roles[act] = new(int(policy.Maintainer))
		}
	}
	e.Roles = roles
	return e
}

// apply sets the fields of a ref and returns the levels that it has after the edit, or the problems
// of the outcome.
func (e RefEdit) apply(ctx context.Context, st *db.Store, r *ProtectedRef) ([]RefLevel, error) {
	if e.Fill != nil {
		e.Fill(r)
	}
	levels, err := e.levels(*r)
	if err != nil {
		return nil, err
	}
	wrong, err := e.findLevelProblems(ctx, st, *r, levels)
	if err != nil {
		return nil, err
	}
	switch n := len([]rune(r.Name)); {
	case strings.TrimSpace(r.Name) == "":
		wrong = append(wrong, "Name "+check.Blank)
	case n > 255:
		wrong = append(wrong, "Name "+check.TooLong)
	}
	if len(wrong) > 0 {
		return nil, fault.Unprocessable(strings.Join(wrong, ", ")).In(fault.List)
	}
	return levels, nil
}

package protect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// RefKey is what a protected branch or tag is known by.
type RefKey struct {
	In   db.Container
	Kind RefKind
	Name string
}

// RefEdit is what a request says of a protected branch or tag. Who may act is told in two ways, which end in one list: by a
// role, and one by one.
type RefEdit struct {
	Fill   func(*ProtectedRef) // gives the ref all that is not about its levels
	Roles  map[RefAct]*int     // nil: no role is given
	Grants map[RefAct][]RefGrant
}

// RefGrant is one more level, or, with an id, one that is changed where it is, or goes.
type RefGrant struct {
	RefLevel
	Remove bool
}

// actsOf are what can be done with a ref of either kind.
var actsOf = map[RefKind][]RefAct{
	Branch: {Push, Merge, Unprotect},
	Tag:    {Create},
}

// CreateProtectedRef protects a branch or tag, or a pattern of them, of a group or project (gaps §7.4). Where nobody is named
// for an act, maintainers are meant. There need be no such branch yet.
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
		edit.Fill(&ref)
		for _, act := range actsOf[key.Kind] {
			if edit.Roles[act] == nil && len(edit.Grants[act]) == 0 {
				edit.Roles[act] = new(int(policy.Maintainer))
			}
		}
		levels, err := edit.check(ctx, st, ref)
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

// ChangeProtectedRef changes a protected branch or tag where it is: it keeps its id, and so do the levels that stay, for
// approval rules point to them. It fails if the actor is none of those who may unprotect it.
func ChangeProtectedRef(
	ctx context.Context, st *db.Store, key RefKey, by policy.Who, edit RefEdit,
) (ProtectedRef, error) {
	return ProtectedRefs(st, key.In, key.Kind).Change(ctx, RefByName(key.Name), func(st *db.Store, r *ProtectedRef) error {
		if err := checkUnprotect(ctx, st, by, *r); err != nil {
			return err
		}
		edit.Fill(r)
		levels, err := edit.check(ctx, st, *r)
		if err != nil {
			return err
		}
		return setRefLevels(ctx, st, r.ID, levels)
	})
}

// RemoveProtection ends the protection of a branch or tag, unless the time when it was changed last speaks against that. It fails if
// the actor is none of those who may.
func RemoveProtection(
	ctx context.Context, st *db.Store, key RefKey, by policy.Who, unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		refs := ProtectedRefs(st, key.In, key.Kind)
		ref, err := refs.One(ctx, RefByName(key.Name))
		if err != nil {
			return err
		}
		if err := checkUnprotect(ctx, st, by, ref); err != nil {
			return err
		}
		return refs.Delete(ctx, db.ByID(ref.ID), unless)
	})
}

// checkUnprotect says what keeps somebody from changing the protection of a ref, beyond his role. Nobody named means that the
// role is enough.
func checkUnprotect(ctx context.Context, st *db.Store, by policy.Who, ref ProtectedRef) error {
	levels := ref.LevelsOf(Unprotect)
	var groups []int64
	may := by.Admin || len(levels) == 0
	for _, l := range levels {
		switch {
		case l.AccessLevel != nil:
			may = may || int(by.Level) >= *l.AccessLevel
		case l.UserID != nil:
			may = may || *l.UserID == by.ID
		case l.GroupID != nil:
			groups = append(groups, *l.GroupID)
		}
	}
	if may {
		return nil
	}
	among, err := isInAnyGroup(ctx, st, by.ID, groups)
	if err == nil && !among {
		err = fault.Forbidden("")
	}
	return err
}

// check holds what the edit makes of a ref to its rules, and returns its levels.
func (e RefEdit) check(ctx context.Context, st *db.Store, r ProtectedRef) ([]RefLevel, error) {
	levels, err := e.levels(r)
	if err != nil {
		return nil, err
	}
	wrong, err := findLevelProblems(ctx, st, r, levels)
	if err != nil {
		return nil, err
	}
	switch n := len([]rune(r.Name)); {
	case strings.TrimSpace(r.Name) == "":
		wrong = append(wrong, "Name "+check.Blank)
	case n > 255:
		wrong = append(wrong, "Name is too long (maximum is 255 characters)")
	}
	if len(wrong) > 0 {
		return nil, fault.Unprocessable(strings.Join(wrong, ", ")).In(fault.List)
	}
	return levels, nil
}

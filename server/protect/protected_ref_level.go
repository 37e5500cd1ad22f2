package protect

import (
	"context"
	"fmt"
	"slices"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
)

// levels returns the levels that a ref has after the edit.
func (e RefEdit) levels(r ProtectedRef) (all []RefLevel, err error) {
	all = []RefLevel{}
	for _, act := range actsOf[r.Kind] {
		list := r.LevelsOf(act)
		if role := e.Roles[act]; role != nil {
			list = setRole(list, act, *role)
		}
		for _, g := range e.Grants[act] {
			g.Act = act
			i := slices.IndexFunc(list, func(l RefLevel) bool { return g.ID != 0 && l.ID == g.ID })
			switch {
			case g.ID != 0 && i < 0:
				return nil, fault.NotFound("")
			case g.Remove && i >= 0:
				list = slices.Delete(list, i, i+1)
			case g.Remove:
			case g.ID == 0:
				list = append(list, g.RefLevel)
			case partyName(g.RefLevel) != "":
				list[i] = g.RefLevel
			}
		}
		all = append(all, list...)
	}
	return all, nil
}

// setRole makes a role the only one among levels. It keeps the id of a level with that role, or
// else of the first role.
func setRole(list []RefLevel, act RefAct, role int) []RefLevel {
	kept, at := []RefLevel{}, -1
	for _, l := range list {
		switch {
		case l.AccessLevel == nil:
			kept = append(kept, l)
		case at < 0:
			at = len(kept)
			kept = append(kept, l)
		case *l.AccessLevel == role:
			kept[at] = l
		}
	}
	if at < 0 {
		return append(kept, RefLevel{Act: act, AccessLevel: &role})
	}
	kept[at].AccessLevel = &role
	return kept
}

// partyName names who a level is for, such as "user 3". It is empty for nobody.
func partyName(l RefLevel) string {
	switch {
	case l.UserID != nil:
		return fmt.Sprint("user ", *l.UserID)
	case l.GroupID != nil:
		return fmt.Sprint("group ", *l.GroupID)
	case l.DeployKeyID != nil:
		return fmt.Sprint("deploy key ", *l.DeployKeyID)
	case l.AccessLevel != nil:
		return "access level"
	}
	return ""
}

// findLevelProblems returns the problems of the levels that a ref is to have, as sentences. Levels
// that the ref has already are not checked: a user may have left since.
func (e RefEdit) findLevelProblems(
	ctx context.Context, st *db.Store, r ProtectedRef, levels []RefLevel,
) (wrong []string, err error) {
	was := map[int64]string{}
	for _, l := range r.Levels {
		was[l.ID] = partyName(l)
	}
	var news []RefLevel
	for _, l := range levels {
		if l.ID == 0 || was[l.ID] != partyName(l) {
			news = append(news, l)
		}
	}
	known, err := findPartyAccess(ctx, st, r.Container, e.Visible, news)
	if err != nil {
		return nil, err
	}
	for _, l := range news {
		if why := known.refusal(l, r.Container); why != "" {
			wrong = append(wrong, actTitle(l.Act)+" "+why)
		}
	}
	seen := map[string]bool{}
	for _, l := range levels {
		key := fmt.Sprint(l.Act, partyName(l))
		if l.AccessLevel != nil {
			key += fmt.Sprint(*l.AccessLevel)
		}
		if seen[key] {
			wrong = append(wrong, actTitle(l.Act)+" "+partyName(l)+" has already been taken")
		}
		seen[key] = true
	}
	return wrong, nil
}

// actTitle returns the beginning of a sentence about the levels of an act.
func actTitle(act RefAct) string {
	return map[RefAct]string{
		Push: "Push", Merge: "Merge", Unprotect: "Unprotect", Create: "Create",
	}[act] + " access levels"
}

// partyAccess says for each party that exists for the caller, by its name, whether it belongs to
// the place of a ref.
type partyAccess map[string]bool

func findPartyAccess(
	ctx context.Context, st *db.Store, c db.Container, visible group.GroupFilter, levels []RefLevel,
) (partyAccess, error) {
	var named refParties
	for _, l := range levels {
		switch {
		case l.UserID != nil:
			named.Users = append(named.Users, *l.UserID)
		case l.GroupID != nil:
			named.Groups = append(named.Groups, *l.GroupID)
		case l.DeployKeyID != nil:
			named.Keys = append(named.Keys, *l.DeployKeyID)
		}
	}
	known := partyAccess{}
	if len(named.Users)+len(named.Groups)+len(named.Keys) == 0 {
		return known, nil
	}
	if len(named.Groups) > 0 {
		groups, err := VisibleGroups(ctx, st, visible, named.Groups)
		if err != nil {
			return nil, err
		}
		named.Groups = nil
		for _, g := range groups {
			named.Groups = append(named.Groups, g.ID)
		}
	}
	found, err := findRefParties(ctx, st, c, named)
	for _, f := range found {
		known[fmt.Sprint(f.Kind, " ", f.ID)] = f.Belongs
	}
	return known, err
}

// refusal returns why a level is refused, or an empty text.
func (b partyAccess) refusal(l RefLevel, c db.Container) string {
	who := partyName(l)
	inside, exists := b[who]
	switch {
	case who == "":
		return "access level " + check.Blank
	case l.Act == Unprotect && l.AccessLevel != nil && *l.AccessLevel == 0:
		return "access level is not included in the list" // nobody could ever change it
	case l.DeployKeyID != nil && l.Act != Push && l.Act != Create:
		return who + " can only push"
	case l.AccessLevel != nil, inside:
		return ""
	case l.DeployKeyID != nil && exists:
		return who + " is not allowed to push to this " + c.Kind()
	case l.DeployKeyID != nil:
		return who + " is not enabled for this " + c.Kind()
	case !exists:
		return who + " does not exist"
	case l.UserID != nil:
		return who + " is not a member of the " + c.Kind()
	}
	return who + " does not have access to the " + c.Kind()
}

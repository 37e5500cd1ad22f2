package ci

import (
	"context"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/tree"
)

// mayReadCode reports whether a user may read the files of a project.
func mayReadCode(u tree.User, p tree.FoundProject) bool {
	return can(u, policy.ReadCode, p)
}

// can reports whether a user has an ability in a project that was found for that user.
func can(u tree.User, a policy.Ability, p tree.FoundProject) bool {
	return policy.Can(p.Who(u), a, p.On())
}

// MaySetVariables reports whether somebody may start pipelines and jobs of a project with
// variables.
func MaySetVariables(p tree.Project, who policy.Who) bool {
	least, ok := policy.LevelNamed(p.Settings.CIVariablesMinimumOverrideRole)
	if p.Settings.RestrictUserDefinedVariables && least == policy.Developer {
		least = policy.Maintainer
	}
	return ok && (who.Admin || who.Level >= least)
}

// MayRun reports whether somebody who may run pipelines of a project may run one of a ref, given by
// its name or its full name: of a protected one only those who may change it, since its jobs get
// protected variables.
func MayRun(ctx context.Context, st *db.Store, p tree.Project, by protect.Pusher, ref string) (bool, error) {
	full, err := fullRef(ctx, st, p, ref)
	if err != nil {
		return false, err
	}
	protection, err := protect.ReadProtection(ctx, st, p.ID, by)
	if err != nil {
		return false, err
	}
	if tag, ok := strings.CutPrefix(full, code.Tags); ok {
		return protection.MayRun(protect.Tag, tag), nil
	}
	return protection.MayRun(protect.Branch, strings.TrimPrefix(full, code.Heads)), nil
}

// fullRef returns the full name of a ref that may be given as the name of a branch or tag. Any
// other name is that of a branch that does not exist yet.
func fullRef(ctx context.Context, st *db.Store, p tree.Project, name string) (string, error) {
	if strings.HasPrefix(name, code.Heads) || strings.HasPrefix(name, code.Tags) {
		return name, nil
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return "", err
	}
	for _, full := range []string{code.Heads + name, code.Tags + name} {
		_, err := g.FindRef(ctx, st, "Ref", full)
		if err == nil || fault.CodeOf(err) != fault.CodeNotFound {
			return full, err
		}
	}
	return code.Heads + name, nil
}

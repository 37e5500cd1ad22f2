package change

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// DuplicateNames returns an error for each object that declares a name which another declared
// object has too, where hosts accept it once. Matching has found the objects with one key.
func DuplicateNames(changes []plan.Change) (diags hcl.Diagnostics) {
	type tree struct{ kinds, text string }
	in, along := map[plan.Name]*plan.Change{}, map[tree][]*plan.Change{}
	for i := range changes {
		c := &changes[i]
		found := false
		for _, name := range c.Declares() {
			if other := in[name]; other != nil && !found {
				found = true
				diags = append(diags, duplicateName(c, other, "", c.Describe(name), inOwner(c)))
			}
			in[name] = c
		}
		for _, name := range c.AncestryAfter() {
			at := tree{name.Kinds, name.Text}
			for _, other := range along[at] {
				if !found && collides(name, other) {
					found = true
					diags = append(diags, duplicateName(c, other, ","+inOwner(other), c.Describe(name.Within()),
						" in a group and everything in it"))
				}
			}
			along[at] = append(along[at], c)
		}
	}
	return diags
}

func collides(name plan.AncestryName, with *plan.Change) bool {
	for _, theirs := range with.AncestryAfter() {
		if name.Collides(theirs) {
			return true
		}
	}
	return false
}

// duplicateName returns the error that c and other have a name, which hosts accept once in a place.
// where is the place of the other.
func duplicateName(c, other *plan.Change, where, name, once string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Duplicate name", Subject: c.Decl,
		Detail: fmt.Sprintf("Both %s and %s (%s%s) have the %s. Hosts accept it once%s. Change one of the two.", c.Addr,
			other.Addr, config.FormatRange(*other.Decl), where, name, once)}
}

// inOwner returns " in acme/api" for an object in that owner.
func inOwner(c *plan.Change) string {
	if c.Owner == "" {
		return ""
	}
	return " in " + c.Owner
}

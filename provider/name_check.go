package provider

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// checkPathSegment accepts one part of a group's or project's path (gaps §3.2).
func checkPathSegment(v cty.Value) error {
	s := v.AsString()
	switch {
	case strings.Contains(s, "/"):
		return fmt.Errorf("%q must not contain a slash; use only the last part here, and set the parent to the rest", s)
	case !catalogue.IsPathSegment(s):
		return fmt.Errorf("%q is not a valid path; "+segmentRule, s)
	}
	return nil
}

// segmentRule says what a part of a path may be.
const segmentRule = "use up to 255 letters, digits, _, - and ., beginning with a letter, digit or _; " +
	"it must not end in ., .git or .atom"

// checkReserved returns a check that refuses the path segments that belong to the service.
func checkReserved(list catalogue.Reserved) func(cty.Value) error {
	return func(v cty.Value) error {
		if list.Has(v.AsString()) {
			return fmt.Errorf("%q is reserved by the host; use another name", v.AsString())
		}
		return nil
	}
}

// checkGroupPath refuses a reserved path: another one at the top level than below.
func checkGroupPath(o schema.Object) []schema.Problem {
	path, _ := o.Get("path").Unmark()
	if path.IsNull() || !path.IsKnown() {
		return nil
	}
	list := catalogue.ReservedTop
	if parent, ok := o.Value.Get("parent"); ok && !parent.IsNull() {
		list = catalogue.ReservedBelow
	}
	if err := checkReserved(list)(path); err != nil {
		return []schema.Problem{{Attr: "path", Text: err.Error()}}
	}
	return nil
}

// checkDisplayName accepts the names of groups and projects (gaps §3.2).
func checkDisplayName(v cty.Value) error {
	if !catalogue.IsDisplayName(v.AsString()) {
		return fmt.Errorf("%q is not a valid name; use letters, digits, emoji, spaces, dashes and _+.(), beginning "+
			"with a letter, digit, emoji or _", v.AsString())
	}
	return nil
}

// checkUsername accepts the names of users, which are top-level paths.
func checkUsername(v cty.Value) error {
	if !catalogue.IsPathSegment(v.AsString()) {
		return fmt.Errorf("%q is not a valid username; "+segmentRule, v.AsString())
	}
	return checkReserved(catalogue.ReservedTop)(v)
}

// checkUserEmail accepts what the host takes for an e-mail address of a user.
func checkUserEmail(v cty.Value) error {
	if !catalogue.IsEmail(v.AsString()) {
		return fmt.Errorf("%q is not an e-mail address such as name@host", v.AsString())
	}
	return nil
}

package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// admin is the level above all roles.
const admin = 60

// role returns the row of a role that may do something with a protected branch or tag.
func role(name, doc string, o ...Option) Attr {
	own := func(a *Attr) { a.Accepts.Check, a.Show = nil, roleName }
	known := Accepts("`no_access`, `developer`, `maintainer`, `admin`, or their numbers 0, 30, 40, 60.", checkRole)
	return AccessLevel(name, doc, prepend(o, own, known, Norm(roleNumber,
		"You can write the name or the number of a level."), Encode(encodeRole), Default(40),
		OpensAlong("0", "60", "40", "30"))...)
}

func roleNumber(v cty.Value) cty.Value {
	if !v.IsNull() && v.Type() == cty.String {
		switch strings.ToLower(strings.TrimSpace(v.AsString())) {
		case "admin":
			return cty.NumberIntVal(admin)
		case "no one":
			return cty.NumberIntVal(0)
		}
	}
	return levelNumber(v)
}

func roleName(v cty.Value) string {
	if roleNumber(v).RawEquals(cty.NumberIntVal(admin)) {
		return "admin"
	}
	return levelName(v)
}

func checkRole(v cty.Value) error {
	if n := roleNumber(v); n.Type() == cty.Number {
		if role, exact := n.AsBigFloat().Int64(); exact == 0 && slices.Contains([]int64{0, 30, 40, admin}, role) {
			return nil
		}
	}
	return fmt.Errorf("%s is not an access level of protected branches and tags; use no_access, developer, "+
		"maintainer, admin or their numbers",
		schema.Encode(v))
}

// unprotectRole accepts the levels that may unprotect a branch. With no_access nobody
// could change the protection again.
var unprotectRole = Accepts("`developer`, `maintainer`, `admin`, or their numbers 30, 40, 60.", checkUnprotectRole)

func checkUnprotectRole(v cty.Value) error {
	if n := roleNumber(v); n.RawEquals(cty.NumberIntVal(0)) {
		return errors.New("must let somebody unprotect it; use developer, maintainer or admin")
	}
	return nil
}

func encodeRole(v cty.Value) any { return toJSON(roleNumber(v)) }

// lowestRole returns the lowest role in a list: everybody from there on is included. It
// is 0 (no one) if the list has none.
func lowestRole(list []entry) cty.Value {
	least := int64(0)
	for _, e := range list {
		if n := e[byRole.field]; e.is(byRole) && n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return cty.NumberIntVal(least)
}

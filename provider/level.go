package provider

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// levels are the access levels that have names (spec 2 §2.1). Hosts have others, such
// as 15 and custom roles, which stay numbers.
var levels = []struct {
	number int64
	name   string
}{
	{0, "no_access"}, {5, "minimal_access"}, {10, "guest"}, {15, "planner"},
	{20, "reporter"}, {30, "developer"}, {40, "maintainer"}, {50, "owner"},
}

// levelNumber is the canonical form of an access level: its number.
func levelNumber(v cty.Value) cty.Value {
	if v.IsNull() || v.Type() != cty.String {
		return v
	}
	name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(v.AsString())), " ", "_")
	for _, l := range levels {
		if l.name == name {
			return cty.NumberIntVal(l.number)
		}
	}
	if n, err := strconv.ParseInt(name, 10, 32); err == nil {
		return cty.NumberIntVal(n)
	}
	return v
}

func checkLevel(v cty.Value) error {
	n := levelNumber(v)
	if n.Type() == cty.Number && n.AsBigFloat().IsInt() && n.AsBigFloat().Sign() >= 0 {
		return nil
	}
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.name
	}
	return fmt.Errorf("%s is not an access level; use %s or the number of a level", schema.Encode(v),
		strings.Join(names, ", "))
}

// Grants accepts the access levels that can be granted.
func Grants(accepts catalogue.Levels) Option {
	return Check(func(v cty.Value) error {
		level := levelNumber(v)
		if level.Type() != cty.Number {
			return nil // checkLevel refuses it
		}
		n, accuracy := level.AsBigFloat().Int64()
		switch {
		case accuracy == 0 && slices.Contains(accepts, n):
			return nil
		case n == 0:
			return errors.New("\"no access\" cannot be granted; remove the resource instead")
		}
		names := make([]string, len(accepts))
		for i, l := range accepts {
			names[i] = fmt.Sprintf("%s (%d)", levelName(cty.NumberIntVal(l)), l)
		}
		return fmt.Errorf("%s cannot be granted; use %s", levelName(v), strings.Join(names, ", "))
	})
}

// levelName returns the name of a level, or its number if it has none.
func levelName(v cty.Value) string {
	if v = levelNumber(v); v.IsNull() || v.Type() != cty.Number {
		return schema.Encode(v)
	}
	n, _ := v.AsBigFloat().Int64()
	for _, l := range levels {
		if l.number == n {
			return l.name
		}
	}
	return decimal(n)
}

func encodeLevel(v cty.Value) any { return toJSON(levelNumber(v)) }

// encodeDate returns the day, or null for none: some hosts reject an empty string.
func encodeDate(v cty.Value) any {
	if s := normDate(v).AsString(); s != "" {
		return s
	}
	return nil
}

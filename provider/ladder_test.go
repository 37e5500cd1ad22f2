package provider

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// TestLadders checks what opens something to more people, from the strictest value to the widest:
// every step up does, and no step down.
func TestLadders(t *testing.T) {
	t.Parallel()
	words := func(words ...string) (values []cty.Value) {
		for _, w := range words {
			values = append(values, cty.StringVal(w))
		}
		return values
	}
	numbers := func(numbers ...int64) (values []cty.Value) {
		for _, n := range numbers {
			values = append(values, cty.NumberIntVal(n))
		}
		return values
	}
	kinds := map[string]*schema.Kind{}
	for _, declared := range builtin() {
		if declared.Data == nil {
			kinds[declared.Name] = &completed(declared).Kind
		}
	}
	roles := words("minimal_access", "guest", "planner", "reporter", "developer", "maintainer", "owner")
	protection := words("no one", "maintainer", "developer")
	for _, c := range []struct {
		kind, attr string
		strict     []cty.Value // from the strictest
	}{
		{"group", "visibility", words("private", "internal", "public")},
		{"project", "visibility", words("private", "internal", "public")},
		{"group_member", "access_level", roles},
		{"group_member", "access_level", numbers(5, 10, 15, 20, 30, 40, 50)},
		{"project_member", "access_level", roles[1:]},
		{"group_share", "group_access", roles[1:]},
		{"protected_branch", "push_access_level", protection},
		{"protected_branch", "merge_access_level", protection},
		{"protected_tag", "create_access_level", protection},
		{"project_approval_rule", "approvals_required", numbers(100, 3, 2, 1, 0)},
		{"group_approval_rule", "approvals_required", numbers(100, 3, 2, 1, 0)},
		{"user", "state", words("blocked", "active")},
	} {
		k := kinds[c.kind]
		require.NotNil(t, k, c.kind)
		a := k.Attr(c.attr)
		require.NotNil(t, a, c.attr)
		for i, strict := range c.strict {
			for j, wide := range c.strict {
				require.Equal(t, i < j, opens(k, a, strict, wide), "%s.%s from %s to %s", c.kind, c.attr,
					schema.Encode(strict), schema.Encode(wide))
			}
		}
	}
}

// opens reports whether a change of an attribute opens something, or makes a rule less strict.
func opens(k *schema.Kind, a *schema.Attr, before, after cty.Value) bool {
	if k.Strict == nil {
		return a.Widens(before, after)
	}
	was, will := schema.Object{Kind: k}, schema.Object{Kind: k}
	was.Value.Set(a, before)
	will.Value.Set(a, after)
	return len(k.Looser(was, will)) > 0
}

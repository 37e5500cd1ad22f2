package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// TestDiff checks that a declared, a live and a last applied value give one difference with its
// cause (H12, H13, D04, D08, D14, D15, P04).
func TestDiff(t *testing.T) {
	t.Parallel()
	a, b, c := cty.StringVal("a"), cty.StringVal("b"), cty.StringVal("c")
	secret := func(s string) cty.Value { return cty.StringVal(s).Mark(schema.Secret) }
	owned := func(v values) *ledger.Entry { return &ledger.Entry{Owned: differ.Own(nil, object(thing, "", v))} }
	for name, tt := range map[string]struct {
		want, live values
		entry      *ledger.Entry
		ignore     []config.Ignore
		diff       string
	}{
		"equal":                 {want: values{"text": a}, live: values{"text": a}},
		"not stated, not owned": {live: values{"text": a}},
		"null is not stated":    {want: values{"text": cty.NullVal(cty.String)}, live: values{"text": a}},
		"empty is stated": {
			want: values{"text": cty.StringVal("")}, live: values{"text": a}, diff: `text "a" -> "" unknown`,
		},
		"empty equals null of the host": {
			want: values{"text": cty.StringVal("")}, live: values{"text": cty.NullVal(cty.String)},
		},
		"false is stated": {
			want: values{"flag": cty.False}, live: values{"flag": cty.True}, diff: `flag true -> false unknown`,
		},
		"false is not null": {want: values{"flag": cty.False},
			live: values{"flag": cty.NullVal(cty.Bool)}, diff: `flag null -> false unknown`},
		"config moved": {want: values{"text": b}, live: values{"text": a},
			entry: owned(values{"text": a}), diff: `text "a" -> "b" config`},
		"live moved": {want: values{"text": a}, live: values{"text": b},
			entry: owned(values{"text": a}), diff: `text "b" -> "a" drift`},
		"both moved": {want: values{"text": b}, live: values{"text": c},
			entry: owned(values{"text": a}), diff: `text "c" -> "b" both`},
		"a new line": {
			want: values{"text": b}, live: values{"text": a}, entry: owned(nil), diff: `text "a" -> "b" config`,
		},
		"a removed line": {live: values{"text": a}, entry: owned(values{"text": a}),
			diff: `text "a" -> "none" config (back to its default)`},
		"a removed line, changed by hand": {live: values{"text": b}, entry: owned(values{"text": a}),
			diff: `text "b" -> "none" both (back to its default)`},
		"a removed line, at its default": {
			live: values{"text": cty.StringVal("none")}, entry: owned(values{"text": a}),
		},
		"a removed line without default": {live: values{"flag": cty.True}, entry: owned(values{"flag": cty.True})},
		"a removed secret": {
			entry: owned(values{"token": a}), diff: `token (secret) -> (secret) config (cleared)`,
		},
		"a secret as last time": {
			want: values{"token": secret("a")}, entry: owned(values{"token": secret("a")}),
		},
		"a rotated secret": {want: values{"token": secret("b")},
			entry: owned(values{"token": secret("a")}), diff: `token (secret) -> (secret) config (changed)`},
		"a secret of an adopted object": {
			want: values{"token": secret("a")}, diff: `token (secret) -> (secret) unknown (not readable)`,
		},
		"made of a rotated secret": {want: values{"text": secret("b")}, live: values{"text": a},
			entry: owned(values{"text": secret("a")}), diff: `text (secret) -> (secret) config`},
		"made of a secret, moved": {want: values{"text": secret("a")}, live: values{"text": b},
			entry: owned(values{"text": secret("a")}), diff: `text (secret) -> (secret) drift`},
		"no longer made of a secret": {want: values{"text": b}, live: values{"text": a},
			entry: owned(values{"text": secret("a")}), diff: `text (secret) -> "b" config`},
		"made of a secret, line removed": {live: values{"text": a}, entry: owned(values{"text": secret("a")}),
			diff: `text (secret) -> "none" config (back to its default)`},
		"made of a secret, unknown now": {want: values{"text": cty.UnknownVal(cty.String)}, live: values{"text": a},
			entry: owned(values{"text": secret("a")}),
			diff:  `text (secret) -> unknown:string config (known after apply)`},
		"not shown by the host, as sent": {want: values{"hidden": a}, entry: owned(values{"hidden": a})},
		"not shown by the host, new value": {
			want: values{"hidden": b}, entry: owned(values{"hidden": a}), diff: `hidden null -> "b" config (changed)`,
		},
		"said once": {want: values{"readme": cty.True}, live: values{"readme": cty.False}},
		"ignored": {
			want: values{"text": a}, live: values{"text": b}, ignore: []config.Ignore{{Attr: "text"}},
		},
		"ignored, all": {
			want: values{"text": a, "flag": cty.True}, live: values{"text": b}, ignore: []config.Ignore{{All: true}},
		},
		"known after apply": {want: values{"text": cty.UnknownVal(cty.String)}, live: values{"text": b},
			diff: `text "b" -> unknown:string config (known after apply)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			paths := differ.Diff(
				desired(object(thing, "", tt.want), tt.ignore...), object(thing, "7", tt.live), tt.entry,
			)
			require.Equal(t, tt.diff, lines(paths))
		})
	}
}

func lines(paths []plan.PathChange) string {
	out := make([]string, len(paths))
	for i, p := range paths {
		show := func(v cty.Value) string {
			switch {
			case p.Attr.IsSecret() || schema.IsSecret(v):
				return "(secret)"
			case v.IsKnown() && v.IsNull():
				return "null"
			}
			return schema.Encode(v)
		}
		out[i] = fmt.Sprintf("%s %s -> %s %s", p.Attr.Name, show(p.Before), show(p.After), p.Cause)
		if p.Note != "" {
			out[i] += " (" + p.Note + ")"
		}
	}
	return strings.Join(out, "; ")
}

func TestOwnHoldsNoSecretInClear(t *testing.T) {
	t.Parallel()
	own := differ.Own(nil, object(thing, "",
		values{"token": cty.StringVal("t0p"), "text": cty.StringVal("v").Mark(schema.Secret), "flag": cty.True}))
	require.Equal(t, map[string]ledger.Digest{"token": `s:"t0p"`, "text": `s:"v"`, "flag": "p:true"}, own)
}

package catalogue_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
)

// public is the list of keys as the specification has it, unchanged.
//
//go:embed testdata/public-settings.tsv
var public string

// The specification is unsure in places; this is what was decided there.
var decided = map[string]string{
	"email_restrictions":                         "what turns it on requires it (spec 3 §4.3)",
	"deletion_adjourned_period":                  "default 7: it became 30 only later",
	"throttle_unauthenticated_period_in_seconds": "default null: another name has none of its own",
}

// removed are the keys of the list that 16.x removed: hosts neither show nor take them (spec 3
// §4.3).
var removed = []string{
	"delayed_group_deletion", "delayed_project_deletion", "in_product_marketing_emails_enabled",
	"repository_storages", "user_email_lookup_limit",
}

// added are keys that the list lacks and another place of the specification names (spec 3 §4.6).
var added = []string{"cube_api_base_url", "cube_api_key"}

// The table has the keys of the specification that were not removed and no other, with its types,
// defaults and dependencies.
func TestTableIsThePublicOne(t *testing.T) {
	t.Parallel()
	all := slices.DeleteFunc(catalogue.Settings(), func(s catalogue.Setting) bool {
		return slices.Contains(added, s.Key)
	})
	var keys []string
	for _, line := range strings.Split(strings.TrimSuffix(public, "\n"), "\n")[1:] {
		cells := strings.Split(line, "\t")
		key, kind, returned, writable, def, given := cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
		if slices.Contains(removed, key) {
			continue
		}
		s := all[len(keys)]
		keys = append(keys, key)
		require.Equal(t, key, s.Key)
		if kind[0] != '?' {
			require.Equal(t, kind, string(s.Type), key)
			require.Equal(t, returned == "yes", s.Returned, key)
			require.Equal(t, writable == "yes", s.Writable, key)
		}
		if decided[key] == "" {
			require.Equal(t, given, s.Given, key)
		}
		if def, _, _ = strings.Cut(def, " ("); def == "" || decided[key] != "" {
			continue // it says nothing, or not what was decided
		}
		if strings.HasPrefix(def, `"`) { // quoted as spreadsheets do
			def = strings.ReplaceAll(def[1:len(def)-1], `""`, `"`)
		}
		require.Equal(t, def, plain(t, s.Default), key)
	}
	require.Equal(t, len(keys), len(all))
	require.True(t, slices.IsSorted(keys))
}

// plain is a value as the specification writes it: JSON, but texts are bare.
func plain(t *testing.T, v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// of is a value of a type, for each type, and one that is not.
var of = map[catalogue.Type]struct{ good, bad any }{
	catalogue.Boolean:      {true, "true"},
	catalogue.Integer:      {1, 1.5},
	catalogue.Number:       {1, "1"},
	catalogue.Text:         {"", 1},
	catalogue.Time:         {"2027-01-31T00:00:00Z", "soon"},
	catalogue.Visibility:   {"internal", 10},
	catalogue.Texts:        {[]string{}, "x"},
	catalogue.Integers:     {[]int{1}, []string{"1"}},
	catalogue.Visibilities: {[]string{"public"}, []int{20}},
	catalogue.Switches:     {map[string]bool{"bpmn": true}, map[string]int{"bpmn": 1}},
	catalogue.Weights:      {map[string]int{"default": 1}, map[string]bool{"x": true}},
	catalogue.Object:       {map[string]any{"x": []int{1}}, []any{}},
}

// Every setting keeps its own default, survives JSON, and is held to its type, its bounds and its
// enumeration.
func TestEverySetting(t *testing.T) {
	t.Parallel()
	for _, s := range catalogue.Settings() {
		t.Run(s.Key, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, s.Check(s.Default))
			require.NoError(t, s.Check(nil))
			require.EqualError(t, s.Check(of[s.Type].bad), "is not of type "+string(s.Type))

			text, err := json.Marshal(s.Default)
			require.NoError(t, err)
			var back any
			require.NoError(t, json.Unmarshal(text, &back))
			back, err = s.Normal(back)
			require.NoError(t, err)
			require.Equal(t, s.Default, back)

			if s.Min == nil && s.Max == nil && s.Enum == nil && s.Key != "hashed_storage_enabled" {
				require.NoError(t, s.Check(of[s.Type].good))
			}
			checkBounds(t, s)
			checkEnum(t, s)
			require.Regexp(t, `^[A-Z][^\n]*[^.]\.$`, s.Doc)
			require.NotContains(t, s.Doc, ". ", "one sentence")
			if s.Type == catalogue.Integer && s.Enum == nil {
				require.NotNil(t, s.Max)
				require.NotNil(t, s.Min, "none of them may be negative")
			}
			if s.Alias != "" {
				own, ok := catalogue.SettingByKey(s.Alias)
				require.True(t, ok)
				require.Empty(t, own.Alias)
				require.Equal(t, map[string]any{s.Alias: own.Default}, catalogue.Fold(map[string]any{s.Key: s.Default}))
			}
			for _, other := range []string{s.Given, s.Present} {
				if other != "" {
					_, ok := catalogue.SettingByKey(other)
					require.True(t, ok, other)
				}
			}
		})
	}
}

func checkBounds(t *testing.T, s catalogue.Setting) {
	switch {
	case s.Type == catalogue.Text && s.Max != nil:
		most := int(*s.Max)
		require.ErrorContains(t, s.Check(strings.Repeat("x", most+1)), fmt.Sprintf("(maximum is %d characters)", most))
		if err := s.Check(strings.Repeat("é", most)); err != nil {
			require.NotContains(t, err.Error(), "too long", "characters, not bytes")
		}
	case s.Type == catalogue.Texts && s.Max != nil:
		most := int(*s.Max)
		require.NoError(t, s.Check(slices.Repeat([]string{"x"}, most)))
		require.ErrorContains(t, s.Check(slices.Repeat([]string{"x"}, most+1)), "is too long")
	case s.Type == catalogue.Integers && s.Max != nil:
		most := int(*s.Max)
		require.NoError(t, s.Check(slices.Repeat([]int{1}, most)))
		require.ErrorContains(t, s.Check(slices.Repeat([]int{1}, most+1)), "is too long")
	default:
		if s.Min != nil {
			least := int(*s.Min)
			if s.Above {
				require.EqualError(t, s.Check(least), fmt.Sprintf("must be greater than %d", least))
				least++
			}
			require.NoError(t, s.Check(least))
			require.ErrorContains(t, s.Check(least-1), "must be greater than")
		}
		if s.Max != nil {
			most := int(*s.Max)
			require.NoError(t, s.Check(most))
			require.EqualError(t, s.Check(most+1), fmt.Sprintf("must be less than or equal to %d", most))
		}
	}
}

func checkEnum(t *testing.T, s catalogue.Setting) {
	for _, v := range s.Enum {
		require.NoError(t, s.Check(member(s, v)))
	}
	if len(s.Enum) > 0 {
		require.Error(t, s.Check(member(s, "7777777")))
	}
}

// member makes a value of an enumerated setting.
func member(s catalogue.Setting, v string) any {
	switch s.Type {
	case catalogue.Integer:
		return json.Number(v)
	case catalogue.Texts, catalogue.Visibilities:
		return []string{v}
	}
	return v
}

package view

import (
	"reflect"
	"time"

	"hew/schema/catalogue"
	"hew/server/setting"
	"hew/server/tree"
)

// SettingTypes are what values of the settings are decoded into.
var SettingTypes = map[catalogue.Type]reflect.Type{
	catalogue.Boolean:      reflect.TypeFor[bool](),
	catalogue.Integer:      reflect.TypeFor[int64](),
	catalogue.Number:       reflect.TypeFor[float64](),
	catalogue.Text:         reflect.TypeFor[string](),
	catalogue.Time:         reflect.TypeFor[time.Time](),
	catalogue.Visibility:   reflect.TypeFor[string](),
	catalogue.Texts:        reflect.TypeFor[[]string](),
	catalogue.Integers:     reflect.TypeFor[[]int64](),
	catalogue.Visibilities: reflect.TypeFor[[]string](),
	catalogue.Switches:     reflect.TypeFor[map[string]bool](),
	catalogue.Weights:      reflect.TypeFor[map[string]int64](),
	catalogue.Object:       reflect.TypeFor[GroupProtection](), // the only one there is
}

// Alone is a protection that is stated as a whole: what it does not say is as if it were not
// protected.
func (in GroupProtection) Alone() setting.BranchProtection {
	g := tree.GroupFlags{DefaultBranchProtectionDefaults: setting.BranchProtection{
		AllowedToPush: []setting.AccessLevel{}, AllowedToMerge: []setting.AccessLevel{},
	}}
	in.Into(&g)
	return g.DefaultBranchProtectionDefaults
}

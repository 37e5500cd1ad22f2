package api

import (
	"context"
	"reflect"
	"time"

	"hew/schema/catalogue"
	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// settings are the application settings (spec 3 §2.4, gaps §13.3). What there is to set is the table of the catalogue.
type settings struct{ *Site }

func (a settings) routes() []rest.Route {
	admin := a.admin()
	return []rest.Route{
		rest.Get("/application/settings", admin, a.show),
		rest.Put("/application/settings", admin, a.update),
	}
}

// settingsView is every setting that is shown, by key.
type settingsView map[string]any

// settingsViewOf shows the settings by all their names. Of a secret it tells whether there is one.
func settingsViewOf(a store.AllSettings) settingsView {
	values, view := a.Values(), settingsView{}
	values["id"], values["created_at"], values["updated_at"] = a.ID, a.CreatedAt, a.UpdatedAt
	for _, s := range catalogue.Settings() {
		switch {
		case !s.Returned:
		case s.Alias != "":
			view[s.Key] = s.Renamed(values[s.Alias])
		default:
			view[s.Key] = values[s.Key]
		}
	}
	return view
}

func (settings) show(ctx context.Context, s Admin, _ rest.None) (settingsView, error) {
	return rest.Show(settingsViewOf)(s.Store.AllSettings(ctx))
}

type settingsChange struct {
	rest.Values[settingsTable]
	_ struct{} `atleast:"*"`
}

// settingsTable lists the settings that can be given.
type settingsTable struct{}

// settingTypes are what values of the settings are decoded into.
var settingTypes = map[catalogue.Type]reflect.Type{
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
	catalogue.Object:       reflect.TypeFor[groupProtection](), // the only one there is
}

// Columns are the settings that can be given. Values that are none of an enumeration are refused as parameters, elements
// of lists that are none as values: the public service tells the two apart.
func (settingsTable) Columns() (columns []rest.Column) {
	for _, s := range catalogue.Settings() {
		if !s.Writable {
			continue
		}
		c := rest.Column{Name: s.Key, Type: settingTypes[s.Type]}
		if c.Type.Kind() == reflect.Slice {
			c.Comma = true
		} else if c.OneOf = s.Enum; s.Enum != nil && s.Type == catalogue.Text {
			c.OneOf = append(c.OneOf[:len(c.OneOf):len(c.OneOf)], "")
		}
		columns = append(columns, c)
	}
	return columns
}

func (settings) update(ctx context.Context, s Admin, in settingsChange) (settingsView, error) {
	for key, value := range in.Values {
		if p, ok := value.(groupProtection); ok {
			in.Values[key] = p.alone()
		}
	}
	return rest.Show(settingsViewOf)(forge.ChangeSettings(ctx, s.Store, in.Values, s.Caller.User))
}

// alone is a protection that is stated as a whole: what it does not say is as if it were not protected.
func (in groupProtection) alone() store.BranchProtection {
	g := store.GroupFlags{DefaultBranchProtectionDefaults: store.BranchProtection{
		AllowedToPush: []store.AccessLevel{}, AllowedToMerge: []store.AccessLevel{},
	}}
	in.into(&g)
	return g.DefaultBranchProtectionDefaults
}

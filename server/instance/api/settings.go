package api

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hew/schema/catalogue"
	"hew/server/instance"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// settings are the routes of the application settings (spec 3 §2.4, gaps §13.3), which the
// catalogue lists.
type settings struct{ site *view.Site }

func (a settings) routes() []rest.Route {
	admin := scope.ForAdmin()
	return []rest.Route{
		rest.Get("/application/settings", admin, a.show),
		rest.Put("/application/settings", admin, a.update),
	}
}

// settingsView is every setting that is shown, by key.
type settingsView map[string]any

// view shows the settings under all their names. A secret that is set is masked.
func (a settings) view(all instance.AllSettings) settingsView {
	values, view := all.Values(), settingsView{}
	values["id"], values["created_at"], values["updated_at"] = all.ID, all.CreatedAt, all.UpdatedAt
	values[unproxied] = withHost(values[unproxied], a.site.Host())
	for _, s := range catalogue.Settings() {
		switch {
		case !s.Returned:
		case s.Alias != "":
			view[s.Key] = s.Renamed(values[s.Alias])
		default:
			view[s.Key] = values[s.Key]
		}
	}
	if n, ok := view[pollingInterval].(float64); ok {
		view[pollingInterval] = decimalText(n)
	}
	return view
}

// unproxied is the setting that lists the domains whose images are shown without the asset proxy.
const unproxied = "asset_proxy_allowlist"

// withHost returns the list with the server's own host, which answers add to one that is set (gaps
// §15).
func withHost(list any, host string) any {
	domains, _ := list.([]any)
	if len(domains) == 0 || slices.Contains(domains, any(host)) {
		return list
	}
	return append(slices.Clone(domains), host)
}

// pollingInterval is the setting that is a number in requests and a text in answers: typed clients
// lose the whole answer otherwise (gaps §15).
const pollingInterval = "polling_interval_multiplier"

// decimalText returns a number with at least one decimal place.
func decimalText(n float64) string {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func (a settings) show(ctx context.Context, s scope.Admin, _ rest.None) (settingsView, error) {
	return rest.Show(a.view)(instance.ReadAllSettings(ctx, s.Store))
}

type settingsChange struct {
	rest.Values[settingsTable]
	_ struct{} `atleast:"*"`
}

// settingsTable lists the settings that can be changed.
type settingsTable struct{}

// Columns returns the settings that can be changed. A text outside of its enumeration is refused as
// a parameter, an element of a list as a value, as on the public service.
func (settingsTable) Columns() (columns []rest.Column) {
	for _, s := range catalogue.Settings() {
		if !s.Writable {
			continue
		}
		c := rest.Column{Name: s.Key, Type: view.SettingTypes[s.Type]}
		if c.Type.Kind() == reflect.Slice {
			c.Comma = true
		} else if c.OneOf = s.Enum; s.Enum != nil && s.Type == catalogue.Text {
			c.OneOf = append(c.OneOf[:len(c.OneOf):len(c.OneOf)], "")
		}
		columns = append(columns, c)
	}
	return columns
}

func (a settings) update(ctx context.Context, s scope.Admin, in settingsChange) (settingsView, error) {
	for key, value := range in.Values {
		if p, ok := value.(view.GroupProtection); ok {
			in.Values[key] = p.Alone()
		}
	}
	return rest.Show(a.view)(instance.ChangeSettings(ctx, s.Store, in.Values, s.Caller.User))
}

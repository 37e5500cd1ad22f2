package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// applicationSettings are the settings of the instance (spec 3 §2.4 and §4.3, gaps
// §13.3). The catalogue's table lists them.
func applicationSettings() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "application_settings",
			Doc: "The settings of the instance. Only arguments that are set are managed, and changes are sent in one " +
				"request. " +
				"The settings always exist: removing the block resets the arguments that it set to their defaults.",
			Collection: "application/settings",
			Holds:      schema.One,
			Need:       theInstance.need,
			Check:      checkSettings,
		},
		Table: slices.Clone(settingRows()),
		API:   REST{Decode: noteAddedHost},
	}
}

// unproxied lists the settings of the domains whose images hosts show without the asset proxy.
// Hosts add their own name to it, once anything is set (gaps §15).
var unproxied = []string{"asset_proxy_allowlist", "asset_proxy_whitelist"}

// noteAddedHost notes down the host's own name where it is in the lists.
func noteAddedHost(d *Decoder, _ Record, o *schema.Object) error {
	for _, name := range unproxied {
		if v, shown := o.Value.Get(name); shown && !v.IsNull() && v.HasElement(cty.StringVal(d.host)).True() {
			if o.Added == nil {
				o.Added = map[string]string{}
			}
			o.Added[name] = d.host
		}
	}
	return nil
}

// settingRows returns the rows of all settings. The kind and its data source share them.
var settingRows = sync.OnceValue(func() []Attr {
	settings := catalogue.Settings()
	rows := make([]Attr, len(settings))
	for i, s := range settings {
		rows[i] = settingRow(s)
	}
	return rows
})

// settingRow returns the row of one setting.
func settingRow(s catalogue.Setting) Attr {
	a := Typed(settingTypes()[s.Type], s.Key, settingDoc(s),
		Check(func(v cty.Value) error { return checkSetting(s, v) }))
	if !s.Writable {
		a.Mode, a.Accepts.Check = schema.Computed, nil
		return a
	}
	if opens, can := openingSettings()[s.Key]; can {
		opens(&a)
	}
	a.Form.Norm, a.Accepts.Doc = settingNorms()[s.Type], settingAccepts(s)
	if s.Secret {
		a.Mask = schema.SecretValue{}
	}
	if a.Type.IsSetType() {
		a.Form.Norm = nullIsEmptySet(a.Type)
	}
	switch {
	case s.Type == catalogue.Visibility:
		a.Accepts.Words, a.Accepts.Doc = s.Enum, ""
	case s.Type == catalogue.Text && s.Enum != nil:
		a.Accepts.Words, a.Accepts.Doc = s.Enum, "Or an empty string for none."
	}
	if slices.Contains(unproxied, s.Key) {
		a.Form.Alike = "Hosts add their own name, which makes no difference."
	}
	a.Instead = s.Alias
	if s.Given != "" {
		a.Sent = schema.SentWith(s.Given) // hosts require both in one request
	}
	own, _ := catalogue.SettingByKey(s.Alias)
	switch {
	case s.Alias == "":
		a.Default = settingDefault(s)
	case own.Type != s.Type:
		a.Form.Norm, a.Form.Alike = sortedLines, "Order and spaces do not matter." // a list in one string
	case !s.Returned:
		a.Field = s.Alias
		fallthrough
	default:
		a.Usual = settingDefault(own)
	}
	return a
}

// settingTypes maps each type of setting to the type of its argument. The order of
// lists does not count.
var settingTypes = sync.OnceValue(func() map[catalogue.Type]cty.Type {
	return map[catalogue.Type]cty.Type{
		catalogue.Boolean: cty.Bool, catalogue.Integer: cty.Number, catalogue.Number: cty.Number,
		catalogue.Text: cty.String, catalogue.Time: cty.String, catalogue.Visibility: cty.String,
		catalogue.Texts: cty.Set(cty.String), catalogue.Integers: cty.Set(cty.Number),
		catalogue.Visibilities: cty.Set(cty.String),
		catalogue.Switches:     cty.Map(cty.Bool), catalogue.Weights: cty.Map(cty.Number),
		catalogue.Object: cty.Object(branchProtection()), // the only one there is
	}
})

// settingNorms maps types of settings to their canonical forms.
var settingNorms = sync.OnceValue(func() map[catalogue.Type]func(cty.Value) cty.Value {
	return map[catalogue.Type]func(cty.Value) cty.Value{
		catalogue.Boolean: nullIsFalse, catalogue.Time: normTime, catalogue.Switches: normSwitches,
	}
})

// settingDefault returns the value that a setting goes back to, or nil if it is not
// known.
func settingDefault(s catalogue.Setting) schema.Default {
	switch {
	case s.Default == nil && (s.Type == catalogue.Text || s.Secret):
		return schema.Value(cty.StringVal(""))
	case s.Default == nil:
		return nil
	}
	if on, ok := s.Default.(bool); ok && s.Type == catalogue.Boolean {
		return schema.Value(cty.BoolVal(on))
	}
	text, _ := json.Marshal(s.Default) // it came from JSON
	v, err := fromJSON(text, settingTypes()[s.Type])
	if err != nil {
		panic(fmt.Sprintf("the default of %s: %v", s.Key, err)) // a mistake in the table
	}
	return schema.Value(v)
}

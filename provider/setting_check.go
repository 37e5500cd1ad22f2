package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// The documentation and the checks of settings, both made from the catalogue's table.

// settingDoc documents a setting and the settings that it is bound to.
func settingDoc(s catalogue.Setting) string {
	doc := s.Doc
	if s.Alias != "" {
		doc += " Alias of " + s.Alias + "."
	}
	switch {
	case s.Given != "" && s.Given == s.Present:
		doc += " Required with " + s.Given + ", and must not be empty."
	case s.Given != "":
		doc += " Required with " + s.Given + "."
	case s.Present != "":
		doc += " Must not be empty while " + s.Present + " is on."
	}
	return doc
}

// settingAccepts documents the accepted numbers, strings or lists, "" for any.
func settingAccepts(s catalogue.Setting) string {
	amount := map[catalogue.Type]string{catalogue.Text: "Up to %v characters.", catalogue.Texts: "Up to %v entries."}
	switch {
	case len(s.Enum) > 0:
		return "Any of " + strings.Join(s.Enum, ", ") + "."
	case amount[s.Type] != "" && s.Max != nil:
		return fmt.Sprintf(amount[s.Type], *s.Max)
	case s.Min != nil && s.Bounded():
		return fmt.Sprintf("A number from %v to %v.", number64(*s.Min), number64(*s.Max))
	case s.Above:
		return fmt.Sprintf("A number above %v.", number64(*s.Min))
	case s.Min != nil && *s.Min != 0:
		return fmt.Sprintf("A number, %v or more.", number64(*s.Min))
	}
	return ""
}

// number64 formats whole numbers without an exponent.
func number64(n float64) any {
	if n == float64(int64(n)) {
		return int64(n)
	}
	return n
}

func checkSetting(s catalogue.Setting, v cty.Value) error {
	err := s.Check(settingValue(v))
	switch {
	case err == nil:
		return nil
	case len(s.Enum) > 0:
		return fmt.Errorf("%s %w: %s", schema.Encode(v), err, strings.Join(s.Enum, ", "))
	}
	return fmt.Errorf("%s %w", schema.Encode(v), err)
}

// settingValue returns a value as the catalogue takes it.
func settingValue(v cty.Value) any {
	text, _ := json.Marshal(toJSON(v)) // always encodes
	var value any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	_ = d.Decode(&value)
	return value
}

// checkSettings returns what is wrong with settings in combination. Unknown values
// pass.
func checkSettings(o schema.Object) (wrong []schema.Problem) {
	stated := map[string]any{}
	unknown := map[string]bool{}
	for a, v := range o.Value.All() {
		v, _ = v.UnmarkDeep()
		unknown[a.Name] = !v.IsWhollyKnown()
		stated[a.Name] = nil
		if !unknown[a.Name] {
			stated[a.Name] = settingValue(v)
		}
	}
	for _, p := range catalogue.CheckSettings(stated) {
		s, single := catalogue.SettingByKey(p.Key)
		switch {
		case unknown[p.Key]:
		case !single: // about several names, or none
			keys := strings.Split(p.Key, ", ")
			wrong = append(wrong, schema.Problem{Attr: keys[len(keys)-1], Text: p.String()})
		case p.Request:
			wrong = append(wrong, schema.Problem{Attr: s.Given,
				Text: fmt.Sprintf("%s = true requires %s in the same request; set it as well", s.Given, s.Key)})
		default:
			wrong = append(wrong, schema.Problem{Attr: s.Key, Text: p.String()})
		}
	}
	return wrong
}

// normTime is the form of times: the instant in UTC.
var normTime = normString(func(s string) string {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return s
})

// normSwitches is the form of a map of bools, in which a missing key is false.
func normSwitches(v cty.Value) cty.Value {
	on := map[string]cty.Value{}
	if !v.IsNull() {
		for name, is := range v.AsValueMap() {
			if is.True() {
				on[name] = is
			}
		}
	}
	if len(on) == 0 {
		return cty.MapValEmpty(cty.Bool)
	}
	return cty.MapVal(on)
}

// sortedLines is the form of a list in one string, in any order.
var sortedLines = normString(func(s string) string {
	entries := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) })
	slices.Sort(entries)
	return strings.Join(entries, "\n")
})

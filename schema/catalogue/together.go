package catalogue

import (
	"fmt"
	"reflect"
	"slices"
)

// Problem is what is wrong with a setting among others.
type Problem struct {
	Key  string
	Text string // "is too long (maximum is 255 characters)"
	// Request says that the problem is what was stated or left out, and not the value: hosts answer
	// it before they look at any value.
	Request bool
}

// String is the problem as a sentence of its key.
func (p Problem) String() string { return p.Key + " " + p.Text }

// CheckSettings holds values that are stated together to everything that can be known of them
// offline: each to its own rules, and all to those that bind keys. What is not stated is not
// judged, because the host has some value for it; but a switch that is turned on takes with it the
// keys that are [Setting.Given] by it. Keys that nobody knows are left alone. The problems come in
// the order of the keys.
func CheckSettings(stated map[string]any) []Problem {
	var wrong []Problem
	for _, s := range settings().list {
		value, ok := stated[s.Key]
		if own, both := stated[s.Alias]; ok && both && s.Alias != "" && !same(s, value, own) {
			wrong = append(wrong, Problem{s.Alias + ", " + s.Key, "are mutually exclusive", true})
		}
		if s.Given != "" && !ok && s.turnedOn(stated) {
			wrong = append(wrong, Problem{s.Key, "is missing", true})
		}
		if ok {
			if err := s.Check(value); err != nil {
				wrong = append(wrong, Problem{s.Key, err.Error(), false})
			}
		}
	}
	own := Fold(stated)
	for _, s := range settings().list {
		if value, ok := own[s.Key]; ok && s.Present != "" && on(own[s.Present]) && blank(value) {
			wrong = append(wrong, Problem{s.Key, first(blankTexts[s.Key], "can't be blank"), false})
		}
	}
	for _, o := range orders {
		wrong = append(wrong, o.check(own)...)
	}
	wrong = append(wrong, checkKeyTypes(own)...)
	slices.SortStableFunc(wrong, func(a, b Problem) int { return settings().byKey[a.Key] - settings().byKey[b.Key] })
	return wrong
}

// Fold puts the values of other names under the keys that they are names of. A key in its own right
// prevails.
func Fold(stated map[string]any) map[string]any {
	own := make(map[string]any, len(stated))
	for key, value := range stated {
		s, ok := SettingByKey(key)
		if !ok || s.Alias == "" {
			own[key] = value
			continue
		}
		if _, both := stated[s.Alias]; !both {
			own[s.Alias] = s.own(value)
		}
	}
	return own
}

// turnedOn says whether the switch that takes s with it is turned on, while s is stated under no
// other name either.
func (s Setting) turnedOn(stated map[string]any) bool {
	if !on(stated[s.Given]) {
		return false
	}
	for _, other := range settings().list {
		if _, ok := stated[other.Key]; ok && (other.Alias == s.Key || s.Alias == other.Key) {
			return false
		}
	}
	return true
}

// same compares the value of another name with that of the key itself.
func same(s Setting, value, own any) bool {
	of, _ := SettingByKey(s.Alias)
	a, errA := of.Normal(s.own(value))
	b, errB := of.Normal(own)
	return errA != nil || errB != nil || reflect.DeepEqual(a, b) // what has no form is told by itself
}

// on says whether a switch is on: true, or a text that is there.
func on(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return v != ""
	}
	return false
}

func blank(v any) bool {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Invalid:
		return true
	case reflect.String, reflect.Slice, reflect.Map:
		return r.Len() == 0
	}
	return false
}

// blankTexts are said of keys that have a text of their own for being blank.
var blankTexts = map[string]string{
	"domain_denylist": "Domain denylist cannot be empty if denylist is enabled.",
}

// order is keys whose values must not fall. The blame goes to the lower one if a higher one bounds
// it, else to the higher.
type order struct {
	keys      []string
	lower     bool
	unlimited bool // a zero is no limit, and bounds nothing
}

var orders = []order{
	{[]string{"gitaly_timeout_fast", "gitaly_timeout_medium", "gitaly_timeout_default"}, true, true},
	{[]string{"housekeeping_incremental_repack_period", "housekeeping_full_repack_period", "housekeeping_gc_period"},
		false, false},
}

func (o order) check(own map[string]any) (wrong []Problem) {
	for i, low := range o.keys {
		for _, high := range o.keys[i+1:] {
			a, okA := stated(own, low)
			b, okB := stated(own, high)
			switch {
			case !okA || !okB || a <= b || o.unlimited && b == 0:
				continue
			case o.lower:
				wrong = append(wrong, Problem{low, fmt.Sprintf("must be less than or equal to %d", b), false})
			default:
				wrong = append(wrong, Problem{high, fmt.Sprintf("must be greater than or equal to %d", a), false})
			}
			break // of a chain the nearest link says enough
		}
	}
	return wrong
}

// stated is the number of a key, if there is one.
func stated(own map[string]any, key string) (int64, bool) {
	v, _ := normal(Integer, own[key])
	n, ok := v.(int64)
	return n, ok
}

// keyTypes are the settings that forbid a type of key with -1. One type must be left.
var keyTypes = []string{
	"dsa_key_restriction", "ecdsa_key_restriction", "ecdsa_sk_key_restriction",
	"ed25519_key_restriction", "ed25519_sk_key_restriction", "rsa_key_restriction",
}

func checkKeyTypes(own map[string]any) []Problem {
	for _, key := range keyTypes {
		if n, ok := stated(own, key); !ok || n != -1 {
			return nil
		}
	}
	return []Problem{{"allowed_key_types", "can't be blank", false}}
}

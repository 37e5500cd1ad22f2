package catalogue

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Check says what is wrong with one value, in the words of the public service and without its key.
// Nil is right for every setting: it goes back to its default.
func (s Setting) Check(value any) error {
	v, err := s.Normal(value)
	if err != nil {
		return err
	}
	if own, ok := SettingByKey(s.Alias); ok && own.Type != s.Type {
		return own.Check(s.own(v))
	}
	wrong := ""
	switch v := v.(type) {
	case int64:
		wrong = first(s.listed(strconv.FormatInt(v, 10)), s.bounds(float64(v)))
	case float64:
		wrong = s.bounds(v)
	case string:
		if v != "" {
			wrong = s.listed(v)
		}
		if s.Max != nil && utf8.RuneCountInString(v) > int(*s.Max) {
			wrong = fmt.Sprintf("is too long (maximum is %v characters)", *s.Max)
		}
	case []any:
		wrong = s.elements(v)
	}
	if rule := rules[s.rule]; rule != nil {
		wrong = first(wrong, rule(v))
	}
	if wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

func first(texts ...string) string {
	i := slices.IndexFunc(texts, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return texts[i]
}

// listed says that a value is none of the enumeration, if there is one.
func (s Setting) listed(v string) string {
	if len(s.Enum) == 0 || slices.Contains(s.Enum, v) {
		return ""
	}
	return "is not included in the list"
}

func (s Setting) bounds(n float64) string {
	switch {
	case s.Min != nil && s.Above && n <= *s.Min:
		return fmt.Sprintf("must be greater than %v", *s.Min)
	case s.Min != nil && n < *s.Min:
		return fmt.Sprintf("must be greater than or equal to %v", int64(*s.Min))
	case s.Max != nil && n > *s.Max:
		return fmt.Sprintf("must be less than or equal to %v", int64(*s.Max))
	}
	return ""
}

// elementNames are what the public service calls what is not in the enumeration of a list.
var elementNames = map[string]string{
	"import_sources":               "a import source",
	"restricted_visibility_levels": "a valid visibility level",
	"valid_runner_registrars":      "a valid runner registrar",
}

func (s Setting) elements(list []any) string {
	for _, item := range list {
		if s.listed(fmt.Sprint(item)) != "" {
			return fmt.Sprintf("'%v' is not %s", item, first(elementNames[s.Key], "in the list"))
		}
	}
	if s.Max != nil && len(list) > int(*s.Max) {
		return fmt.Sprintf("is too long (maximum is %v entries)", *s.Max)
	}
	return ""
}

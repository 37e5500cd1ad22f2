package provider

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"hew/schema/pattern"
)

// OneOf accepts the listed strings.
func OneOf(words ...string) Option {
	listed := Check(func(v cty.Value) error {
		if slices.Contains(words, v.AsString()) {
			return nil
		}
		return fmt.Errorf("%q is not one of %s", v.AsString(), strings.Join(words, ", "))
	})
	return func(a *Attr) {
		a.Accepts.Words = words
		listed(a)
	}
}

// Between accepts whole numbers from lo to hi.
func Between(lo, hi int64) Option {
	accepts := fmt.Sprintf("A whole number from %d to %d.", lo, hi)
	switch {
	case hi == Unbounded && lo > 1:
		accepts = fmt.Sprintf("A whole number, %d or more.", lo)
	case hi == Unbounded:
		accepts = "" // goes without saying
	}
	return Accepts(accepts, func(v cty.Value) error {
		n, accuracy := v.AsBigFloat().Int64()
		if accuracy != 0 || n < lo || n > hi {
			return fmt.Errorf("%s is out of range; use a whole number from %d to %d", v.AsBigFloat().Text('f', -1), lo,
				hi)
		}
		return nil
	})
}

// Unbounded is the upper bound of numbers that the API does not bound.
const Unbounded = 1<<31 - 1

// MaxLength accepts strings of up to n characters.
func MaxLength(n int) Option {
	return Accepts(fmt.Sprintf("Up to %d characters.", n), func(v cty.Value) error {
		if got := utf8.RuneCountInString(v.AsString()); got > n {
			return fmt.Errorf("has %d characters, but at most %d are allowed", got, n)
		}
		return nil
	})
}

// ElementsUpTo accepts collections of strings of up to n characters each.
func ElementsUpTo(n int) Option {
	return Check(func(v cty.Value) error {
		for _, e := range v.Elements() {
			if e.IsKnown() && !e.IsNull() && utf8.RuneCountInString(e.AsString()) > n {
				return fmt.Errorf("has an element of %d characters, but at most %d are allowed",
					utf8.RuneCountInString(e.AsString()), n)
			}
		}
		return nil
	})
}

// Accepts adds a check, and the sentence that documents it.
func Accepts(accepts string, f func(cty.Value) error) Option {
	checked := Check(f)
	return func(a *Attr) {
		a.Accepts.Doc = accepts
		checked(a)
	}
}

func NotEmpty(v cty.Value) error {
	if strings.TrimSpace(v.AsString()) == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// placeholder matches a URL variable, {name}, which the host fills in.
var placeholder = pattern.Lazy(`\{[^{}/]*\}`)

// AbsoluteURL accepts http and https URLs (gaps §4.4).
func AbsoluteURL(v cty.Value) error {
	u, err := url.Parse(placeholder().ReplaceAllString(v.AsString(), "x"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("must be an absolute http or https URL, such as https://host/path")
	}
	return nil
}

// checkEmail accepts strings that may be an e-mail address.
func checkEmail(v cty.Value) error {
	name, host, ok := strings.Cut(v.AsString(), "@")
	if !ok || name == "" || host == "" || strings.ContainsAny(v.AsString(), " \t\r\n/") {
		return fmt.Errorf("%q is not an e-mail address such as name@host", v.AsString())
	}
	return nil
}

// checkNotPast accepts "" and days that are not over yet wherever the host may be: the
// last to leave one are twelve hours behind UTC.
func checkNotPast(v cty.Value) error {
	s := normDate(v).AsString()
	if s == "" {
		return nil
	}
	t, err := time.Parse(time.DateOnly, s)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a date; use YYYY-MM-DD, or an empty string for none", v.AsString())
	case t.Add((24 + 12) * time.Hour).Before(time.Now()):
		return fmt.Errorf("%s is in the past; use a later day, or an empty string for no expiration", s)
	}
	return nil
}

// checkDate accepts "" and days.
func checkDate(v cty.Value) error {
	if s := normDate(v).AsString(); s != "" {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return fmt.Errorf("%q is not a date; use YYYY-MM-DD, or an empty string for none", v.AsString())
		}
	}
	return nil
}

// pairsUpTo accepts maps of up to most names, each with a value, that are what
// they have to be; accepts says what that is.
func pairsUpTo(most int, accepts string, sound func(name, value string) error) Option {
	return Accepts(fmt.Sprintf("Up to %d, %s", most, accepts), func(v cty.Value) error {
		if n := v.LengthInt(); n > most {
			return fmt.Errorf("has %d entries, but at most %d are allowed", n, most)
		}
		for name, value := range v.Elements() {
			if value.IsNull() {
				return fmt.Errorf("%q has no value; remove it", name.AsString())
			}
			if err := sound(name.AsString(), value.AsString()); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkString makes a check of one for plain texts.
func checkString(sound func(string) error) func(cty.Value) error {
	return func(v cty.Value) error { return sound(v.AsString()) }
}

// isTrue reports whether a stated value is known to be true.
func isTrue(v cty.Value) bool {
	v, _ = v.Unmark()
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.Bool && v.True()
}

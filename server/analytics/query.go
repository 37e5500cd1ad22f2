package analytics

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hew/server/fault"
)

// Limits of a query.
const (
	maxRows        = 50_000 // that one answer may have
	maxFilterDepth = 8      // of "and" and "or" within each other
	maxQueryText   = 1_000  // bytes of a value or of a range of dates
)

// Query is what is asked of the engine, decoded from JSON: nil, string, bool, json.Number, []any or
// map[string]any.
type Query map[string]any

// The forms of names. A member is Cube.name; a time dimension can have its granularity behind it.
var (
	memberForm   = regexp.MustCompile(`^[A-Za-z_]\w{0,99}\.[A-Za-z_]\w{0,99}(\.[A-Za-z_]\w{0,99})?$`)
	wordForm     = regexp.MustCompile(`^[A-Za-z_]\w{0,99}$`)
	timezoneForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+/-]{0,99}$`)
)

// queryKeys are the keys of a query and what checks and normalises their values.
var queryKeys = map[string]func(c *checker, at string, value any) any{
	"measures":       (*checker).members,
	"dimensions":     (*checker).members,
	"segments":       (*checker).members,
	"filters":        func(c *checker, at string, value any) any { return c.filters(at, value, 1) },
	"timeDimensions": (*checker).timeDimensions,
	"order":          (*checker).order,
	"limit":          func(c *checker, at string, value any) any { return c.integer(at, value, maxRows) },
	"offset":         func(c *checker, at string, value any) any { return c.integer(at, value, 1<<53) },
	"timezone":       (*checker).timezone,
	"total":          (*checker).boolean,
}

// Check returns the query in the form in which it is sent: without keys that are null, numbers as
// numbers. It returns a fault that lists everything that is wrong. An order that is an object is
// sent with its members in alphabetical order, since objects have none; pairs keep theirs.
func (q Query) Check() (Query, error) {
	sent, c := Query{}, &checker{}
	for _, key := range slices.Sorted(maps.Keys(q)) {
		check, known := queryKeys[key]
		switch {
		case !known:
			c.add("query", fmt.Sprintf("has the unknown key %.100q", key))
		case q[key] != nil:
			sent[key] = check(c, "query["+key+"]", q[key])
		}
	}
	if c.wrong != nil {
		return nil, fault.Param(strings.Join(c.wrong, ", "))
	}
	return sent, nil
}

// checker collects what is wrong with a query.
type checker struct{ wrong []string }

// maxProblems is how many problems of a query are listed.
const maxProblems = 10

func (c *checker) add(at, problem string) {
	if text := at + " " + problem; len(c.wrong) < maxProblems && !slices.Contains(c.wrong, text) {
		c.wrong = append(c.wrong, text)
	}
}

// list returns the items of a list, none if the value is not one.
func (c *checker) list(at string, value any) []any {
	items, ok := value.([]any)
	if !ok {
		c.add(at, "must be a list")
	}
	return items
}

func (c *checker) members(at string, value any) any {
	for _, item := range c.list(at, value) {
		c.member(at, item)
	}
	return value
}

func (c *checker) member(at string, value any) {
	if text, ok := value.(string); !ok || !memberForm.MatchString(text) {
		c.add(at, "must have members such as TrackedEvents.count")
	}
}

func (c *checker) timezone(at string, value any) any {
	if text, ok := value.(string); !ok || !timezoneForm.MatchString(text) {
		c.add(at, "must be the name of a time zone, such as Europe/Berlin")
	}
	return value
}

func (c *checker) boolean(at string, value any) any {
	switch value {
	case true, "true":
		return true
	case false, "false":
		return false
	}
	c.add(at, "must be true or false")
	return value
}

// integer returns a number from 0 to most. A form has it as a text.
func (c *checker) integer(at string, value any, most int64) any {
	n, err := strconv.ParseInt(fmt.Sprint(value), 10, 64)
	if err != nil || n < 0 || n > most {
		c.add(at, fmt.Sprintf("must be an integer from 0 to %d", most))
	}
	return n
}

// scalar reports whether a value can be compared with.
func scalar(value any) bool {
	switch v := value.(type) {
	case string:
		return len(v) <= maxQueryText
	case nil, bool, json.Number:
		return true
	}
	return false
}

func (c *checker) order(at string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for member, direction := range v {
			c.member(at, member)
			c.direction(at, direction)
		}
	case []any:
		for _, item := range v {
			pair, ok := item.([]any)
			if !ok || len(pair) != 2 {
				c.add(at, "must have pairs of a member and a direction")
				continue
			}
			c.member(at, pair[0])
			c.direction(at, pair[1])
		}
	default:
		c.add(at, "must be a list of pairs or an object")
	}
	return value
}

func (c *checker) direction(at string, value any) {
	if value != "asc" && value != "desc" {
		c.add(at, "must have the directions asc or desc")
	}
}

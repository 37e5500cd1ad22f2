package analytics

import (
	"fmt"
	"maps"
	"slices"
)

// filters checks a list of filters: comparisons, and lists of filters that are joined by "and" or
// "or". depth counts the lists that enclose it, with itself.
func (c *checker) filters(at string, value any, depth int) any {
	if depth > maxFilterDepth {
		c.add(at, fmt.Sprintf("must not be nested more than %d times", maxFilterDepth))
		return nil
	}
	for _, item := range c.list(at, value) {
		filter, ok := item.(map[string]any)
		if !ok {
			c.add(at, "must have objects")
			continue
		}
		joined := false
		for _, join := range []string{"and", "or"} {
			if inner, ok := filter[join]; ok {
				joined = true
				c.filters(at+"["+join+"]", inner, depth+1)
			}
		}
		switch {
		case !joined:
			c.comparison(at, filter)
		case len(filter) > 1:
			c.add(at, "must not have other keys beside and, or")
		}
	}
	return value
}

// comparison checks a filter of one member.
func (c *checker) comparison(at string, filter map[string]any) {
	c.only(at, filter, "member", "operator", "values")
	c.member(at+"[member]", filter["member"])
	if text, ok := filter["operator"].(string); !ok || !wordForm.MatchString(text) {
		c.add(at+"[operator]", "must be an operator such as equals")
	}
	if filter["values"] == nil { // of set and notSet
		return
	}
	for _, value := range c.list(at+"[values]", filter["values"]) {
		if !scalar(value) {
			c.add(at+"[values]", fmt.Sprintf("must have texts of at most %d bytes, numbers or booleans", maxQueryText))
		}
	}
}

// only refuses keys of an object that are not listed.
func (c *checker) only(at string, object map[string]any, keys ...string) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(keys, key) {
			c.add(at, fmt.Sprintf("has the unknown key %.100q", key))
		}
	}
}

func (c *checker) timeDimensions(at string, value any) any {
	for _, item := range c.list(at, value) {
		dimension, ok := item.(map[string]any)
		if !ok {
			c.add(at, "must have objects")
			continue
		}
		c.only(at, dimension, "dimension", "dateRange", "compareDateRange", "granularity")
		c.member(at+"[dimension]", dimension["dimension"])
		if granularity := dimension["granularity"]; granularity != nil {
			if text, ok := granularity.(string); !ok || !wordForm.MatchString(text) {
				c.add(at+"[granularity]", "must be a unit such as day")
			}
		}
		if between := dimension["dateRange"]; between != nil {
			c.dateRange(at+"[dateRange]", between)
		}
		if compared := dimension["compareDateRange"]; compared != nil {
			for _, between := range c.list(at+"[compareDateRange]", compared) {
				c.dateRange(at+"[compareDateRange]", between)
			}
		}
	}
	return value
}

// dateRange checks a text such as "last week", a day, or a first and a last day.
func (c *checker) dateRange(at string, value any) {
	days, ok := value.([]any)
	if !ok {
		days = []any{value}
	}
	good := len(days) == 1 || len(days) == 2
	for _, day := range days {
		text, ok := day.(string)
		good = good && ok && text != "" && len(text) <= maxQueryText
	}
	if !good {
		c.add(at, "must be a text, or a list of one or two days")
	}
}

package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Admits tells whether a version of hew satisfies required_version. Anything
// that is no release number, such as a development build, does.
func (s Settings) Admits(version string) bool {
	have, err := release(version)
	if err != nil {
		return true
	}
	rules, err := constraints(s.RequiredVersion)
	return err == nil && !slices.ContainsFunc(rules, func(c constraint) bool { return !c.admits(have) })
}

// constraint is one condition of a list such as ">= 1.2, < 2".
type constraint struct {
	op   string
	want []int
}

func constraints(text string) (out []constraint, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		c := constraint{op: "="}
		for _, op := range []string{">=", "<=", "!=", "~>", "=", ">", "<"} {
			if rest, ok := strings.CutPrefix(part, op); ok {
				c.op, part = op, strings.TrimSpace(rest)
				break
			}
		}
		if c.want, err = release(part); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// release reads 1.2.3, with or without a v before it.
func release(text string) (nums []int, err error) {
	for _, part := range strings.Split(strings.TrimPrefix(text, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no version: write numbers with dots, as in >= 1.2, < 2", text)
		}
		nums = append(nums, n)
	}
	return nums, nil
}

func (c constraint) admits(have []int) bool {
	order := compareReleases(have, c.want)
	switch c.op {
	case "=":
		return order == 0
	case "!=":
		return order != 0
	case ">":
		return order > 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case "~>": // the last number may grow, those before it stand
		fixed := len(c.want) - 1
		return order >= 0 && compareReleases(have[:min(fixed, len(have))], c.want[:fixed]) == 0
	}
	return order >= 0
}

// compareReleases takes numbers that are missing for zeros.
func compareReleases(a, b []int) int {
	at := func(nums []int, i int) int {
		if i < len(nums) {
			return nums[i]
		}
		return 0
	}
	for i := range max(len(a), len(b)) {
		if c := cmp.Compare(at(a, i), at(b, i)); c != 0 {
			return c
		}
	}
	return 0
}

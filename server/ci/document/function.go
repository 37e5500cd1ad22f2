package document

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// function is one that blocks may call. It takes a text and what the groups of the pattern caught.
type function struct {
	name    string
	pattern *regexp.Regexp
	run     func(i *interpolation, text string, args []string) (string, error)
}

// functions are those of interpolation.
var functions = []function{
	{"truncate", regexp.MustCompile(`^truncate\(\s*(\d+)\s*,\s*(\d+)\s*\)?$`), truncate},
	{"expand_vars", regexp.MustCompile(`^expand_vars$`), expandVars},
	{"posix_escape", regexp.MustCompile(`^posix_escape$`), posixEscape},
}

// call runs the functions of a block one after another on a value.
func (i *interpolation) call(n, value *Node, calls []string) (*Node, error) {
	if len(calls) > maxFunctions {
		return nil, errorAt(n, "too many functions in interpolation block")
	}
	called := make([]function, len(calls))
	for at, call := range calls {
		known := slices.IndexFunc(functions, func(f function) bool { return f.pattern.MatchString(call) })
		if known < 0 {
			return nil, errorAt(n, "no function matching `%s`: "+
				"check that the function name, arguments, and types are correct", call)
		}
		called[at] = functions[known]
	}
	for at, f := range called {
		if value.Kind != String {
			return nil, errorAt(n, "error in `%s` function: invalid input type: "+
				"%s can only be used with string inputs", f.name, f.name)
		}
		text, err := f.run(i, value.Text, f.pattern.FindStringSubmatch(calls[at])[1:])
		if err != nil {
			return nil, errorAt(n, "error in `%s` function: %s", f.name, err)
		}
		value = &Node{Kind: String, Text: text}
	}
	return value, nil
}

// truncate returns as many characters as the second argument says from the first one on.
func truncate(_ *interpolation, text string, args []string) (string, error) {
	characters := []rune(text)
	bound := func(arg string, most int) int {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return most
		}
		return min(n, most)
	}
	start := bound(args[0], len(characters))
	return string(characters[start : start+bound(args[1], len(characters)-start)]), nil
}

// expandVars puts in the values of variables. Unknown ones stay.
func expandVars(i *interpolation, text string, _ []string) (string, error) {
	masked := false
	expanded, ok := expandVariables(text, func(reference, name string) string {
		v, known := i.variables[name]
		if !known {
			return reference
		}
		masked = masked || v.Masked
		return v.Value
	})
	switch {
	case masked:
		return "", errors.New("variable expansion error: masked variables cannot be expanded")
	case !ok:
		return "", errors.New("variable expansion error: value is too long")
	}
	return expanded, nil
}

// posixPlain are the characters that a shell takes as they are.
var posixPlain = regexp.MustCompile(`[^A-Za-z0-9_\-.,:+/@\n]`)

// posixEscape returns a text that a shell reads as one word.
func posixEscape(_ *interpolation, text string, _ []string) (string, error) {
	if text == "" {
		return "''", nil
	}
	escaped := posixPlain.ReplaceAllStringFunc(text, func(c string) string { return `\` + c })
	return strings.ReplaceAll(escaped, "\n", "'\n'"), nil
}

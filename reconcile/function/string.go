package function

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var stringFuncs = []entry{
	{"chomp", stdlib.ChompFunc, "The string without newlines at its end."},
	{"endswith", predicateFunc(strings.HasSuffix, "str", "suffix"), "Whether a string ends with another."},
	{
		"format",
		checked(stdlib.FormatFunc, checkWidth, checkFormat),
		"A string made from a format and values: %s for strings, %d for whole numbers, %v for any value, %q for a " +
			"quoted string.",
	},
	{
		"formatlist",
		checked(stdlib.FormatListFunc, checkWidth, checkFormat),
		"A list of strings, made by format for each element of one or more lists.",
	},
	{"indent", checked(stdlib.IndentFunc, checkIndent), "The string with spaces added to every line except the first."},
	{"join", checked(stdlib.JoinFunc, checkJoin), "The strings of one or more lists, with a separator between them."},
	{"lower", stdlib.LowerFunc, "The string in lower case."},
	{
		"regex",
		stdlib.RegexFunc,
		"The first match of a regular expression: its text, a list of its groups, or an object of its named groups. " +
			"No match is an error.",
	},
	{
		"regexall",
		stdlib.RegexAllFunc,
		"A list of all matches of a regular expression, each in the form that regex returns.",
	},
	{
		"replace",
		replaceFunc,
		"The string with every occurrence of a substring replaced. A substring between slashes, /like this/, is a " +
			"regular expression.",
	},
	{"split", stdlib.SplitFunc, "The parts of a string between separators."},
	{"startswith", predicateFunc(strings.HasPrefix, "str", "prefix"), "Whether a string begins with another."},
	{"strcontains", predicateFunc(strings.Contains, "str", "substr"), "Whether a string contains another."},
	{"strrev", stdlib.ReverseFunc, "The characters of the string in reverse."},
	{
		"substr",
		stdlib.SubstrFunc,
		"Part of a string, from an offset. A negative offset counts from the end; a length of -1 means the rest.",
	},
	{"title", stdlib.TitleFunc, "The string with the first letter of each word in upper case."},
	{"trim", stdlib.TrimFunc, "The string without any of the given characters at its start and end."},
	{"trimprefix", stdlib.TrimPrefixFunc, "The string without the prefix, if it has that."},
	{"trimspace", stdlib.TrimSpaceFunc, "The string without white space at its start and end."},
	{"trimsuffix", stdlib.TrimSuffixFunc, "The string without the suffix, if it has that."},
	{"upper", stdlib.UpperFunc, "The string in upper case."},
}

// replaceFunc takes a pattern between slashes as a regular expression.
var replaceFunc = staticFunc(cty.String, func(args []cty.Value) (cty.Value, error) {
	if p := args[1].AsString(); len(p) > 1 && p[0] == '/' && p[len(p)-1] == '/' {
		if err := checkRegexReplace(args[0].AsString(), p[1:len(p)-1], args[2].AsString()); err != nil {
			return cty.NilVal, err
		}
		return stdlib.RegexReplace(args[0], cty.StringVal(p[1:len(p)-1]), args[2])
	}
	if err := checkReplace(args[0].AsString(), args[1].AsString(), args[2].AsString()); err != nil {
		return cty.NilVal, err
	}
	return stdlib.Replace(args[0], args[1], args[2])
}, param("str", cty.String), param("substr", cty.String), param("replacement", cty.String))

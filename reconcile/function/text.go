package function

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

var texts = []entry{
	{"chomp", stdlib.ChompFunc, "The string without line breaks at its end."},
	{"endswith", textTest(strings.HasSuffix, "str", "suffix"), "Whether a string ends with another."},
	{"format", made(stdlib.FormatFunc, checkWidth), "A string made of a pattern and values: %s for text, %d for whole numbers, %v for anything, %q for quotes."},
	{"formatlist", made(stdlib.FormatListFunc, checkWidth), "What format makes of each element of one or more lists."},
	{"indent", made(stdlib.IndentFunc, checkIndent), "The string with spaces before every line but the first."},
	{"join", stdlib.JoinFunc, "The strings of one or more lists, with a separator between them."},
	{"lower", stdlib.LowerFunc, "The string in lower case."},
	{"regex", stdlib.RegexFunc, "The first match of a regular expression: the text, a list of its groups, or an object of its named groups. No match is an error."},
	{"regexall", stdlib.RegexAllFunc, "All matches of a regular expression, each as regex gives it."},
	{"replace", replaceFunc, "The string with every occurrence of a part replaced. /a part between slashes/ is a regular expression."},
	{"split", stdlib.SplitFunc, "The parts of a string between separators."},
	{"startswith", textTest(strings.HasPrefix, "str", "prefix"), "Whether a string begins with another."},
	{"strcontains", textTest(strings.Contains, "str", "substr"), "Whether a string contains another."},
	{"strrev", stdlib.ReverseFunc, "The characters of the string in reverse."},
	{"substr", stdlib.SubstrFunc, "Some characters of a string, from an offset that may count from the end; a length of -1 takes the rest."},
	{"title", stdlib.TitleFunc, "The string with the first letter of every word in upper case."},
	{"trim", stdlib.TrimFunc, "The string without any of the given characters at its ends."},
	{"trimprefix", stdlib.TrimPrefixFunc, "The string without a prefix, if it has it."},
	{"trimspace", stdlib.TrimSpaceFunc, "The string without white space at its ends."},
	{"trimsuffix", stdlib.TrimSuffixFunc, "The string without a suffix, if it has it."},
	{"upper", stdlib.UpperFunc, "The string in upper case."},
}

// replaceFunc takes a regular expression where the pattern stands between
// slashes.
var replaceFunc = static(cty.String, func(args []cty.Value) (cty.Value, error) {
	if p := args[1].AsString(); len(p) > 1 && p[0] == '/' && p[len(p)-1] == '/' {
		return stdlib.RegexReplace(args[0], cty.StringVal(p[1:len(p)-1]), args[2])
	}
	return stdlib.Replace(args[0], args[1], args[2])
}, param("str", cty.String), param("substr", cty.String), param("replacement", cty.String))

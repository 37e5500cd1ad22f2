package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

// withInputs loads a body with a header, the inputs given in YAML.
func withInputs(t *testing.T, spec, body, given string) (*document.Document, error) {
	t.Helper()
	return files{}.load("spec:\n  inputs: "+spec+"\n---\n"+body+"\n", func(r *document.Request) {
		r.Variables = map[string]document.Variable{
			"NAME":   {Value: "hew"},
			"SECRET": {Value: "s3cret-value", Masked: true},
		}
		if given != "" {
			n, err := document.Parse("given.yml", []byte(given), document.Limits{})
			require.NoError(t, err)
			r.Inputs = n
		}
	})
}

func TestInterpolation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ spec, body, given, want string }{
		{"{e: }", "a: $[[ inputs.e ]]", "e: prod", `{"a":"prod"}`},
		{"{e: {default: x}}", "a: run $[[inputs.e]]-$[[ inputs.e ]]", "", `{"a":"run x-x"}`},
		{"{n: {type: number, default: 012}}", "a: $[[ inputs.n ]]\nb: n=$[[ inputs.n ]]", "", `{"a":10,"b":"n=10"}`},
		{"{n: {type: number}}", "a: $[[ inputs.n ]]", "n: 1.50", `{"a":1.5}`},
		{"{b: {type: boolean, default: false}}", "a: $[[ inputs.b ]]\nc: x$[[ inputs.b ]]", "",
			`{"a":false,"c":"xfalse"}`},
		{"{l: {type: array, default: [1, a]}}", "a: $[[ inputs.l ]]\nb: x $[[ inputs.l ]]", "",
			`{"a":[1,"a"],"b":"x [1, \"a\"]"}`},
		{"{e: {default: x}}", `"$[[ inputs.e ]]-job": {script: ['$[[ inputs.e ]]']}`, "", `{"x-job":{"script":["x"]}}`},
		{"{e: {default: x}}", "a: $[[ inputs.e ]]", "e: ~", `{"a":"x"}`},
		{"{e: {default: abcdef}}", "a: $[[ inputs.e | truncate(1,3) ]]", "", `{"a":"bcd"}`},
		{"{e: {default: äöü}}", "a: $[[ inputs.e | truncate(1, 9) ]]", "", `{"a":"öü"}`},
		{"{e: {default: abc}}", "a: x$[[ inputs.e | truncate(5,1) ]]", "", `{"a":"x"}`},
		{"{e: {default: '$NAME ${NAME} %NAME% $$NAME $NONE'}}", "a: $[[ inputs.e | expand_vars ]]", "",
			`{"a":"hew hew hew $$NAME $NONE"}`},
		{`{e: {default: "a b'c\n"}}`, "a: $[[ inputs.e | posix_escape ]]", "", `{"a":"a\\ b\\'c'\n'"}`},
		{"{e: {default: ''}}", "a: $[[ inputs.e | posix_escape ]]", "", `{"a":"''"}`},
		{"{e: {default: '$NAME'}}", "a: $[[ inputs.e | expand_vars | truncate(0,2) | posix_escape ]]", "",
			`{"a":"he"}`},
		{"{e: {default: x}}", "a: $[[ matrix.OS ]] $[[ inputs.e ]]", "", `{"a":"$[[ matrix.OS ]] x"}`},
		{"{e: {default: '$[[ inputs.e ]]'}}", "a: y$[[ inputs.e ]]", "", `{"a":"y$[[ inputs.e ]]"}`},
		{"{e: {default: b}}", ".b: {script: [x]}\na: {script: [!reference ['.$[[ inputs.e ]]', script]]}", "",
			`{".b":{"script":["x"]},"a":{"script":[["x"]]}}`},
		{"{o: {options: [a, b], default: a}}", "a: $[[ inputs.o ]]", "o: b", `{"a":"b"}`},
		{"{r: {regex: '^v\\d+$'}}", "a: $[[ inputs.r ]]", "r: v12", `{"a":"v12"}`},
		{"{n: {type: number, options: [1, 2]}}", "a: $[[ inputs.n ]]", "n: 2.0", `{"a":2.0}`},
		{"", "a: $[[ x ]", "", `{"a":"$[[ x ]"}`},
	} {
		d, err := withInputs(t, test.spec, test.body, test.given)
		require.NoError(t, err, test.body)
		require.Equal(t, test.want, shown(d.Root), test.body)
	}
}

func TestInputFaults(t *testing.T) {
	t.Parallel()
	var fiftyOne strings.Builder
	for i := range 51 {
		fmt.Fprintf(&fiftyOne, "o%d,", i)
	}
	long := strings.Repeat("x", 1025)
	use := func(block string) string { return "a: $[[ " + block + " ]]" }
	for _, test := range []struct{ spec, body, given, want string }{
		{"{e: }", "a: 1", "", "`e` input: required value has not been provided"},
		{"{o: {options: [a]}}", "a: 1", "o: z",
			"`o` input: `z` cannot be used because it is not in the list of allowed options"},
		{"{r: {regex: ^a}}", "a: 1", "r: b", "`r` input: provided value does not match required RegEx pattern"},
		{"{r: {regex: ^a, default: b}}", "a: 1", "", "`r` input: default value does not match required RegEx pattern"},
		{"{r: {regex: '('}}", "a: 1", "r: b", "`r` input: invalid regular expression"},
		{"{n: {type: number}}", "a: 1", "n: x", "`n` input: provided value is not a number"},
		{"{n: {type: number, default: x}}", "a: 1", "", "`n` input: default value is not a number"},
		{"{n: {type: boolean}}", "a: 1", "n: 1", "`n` input: provided value is not a boolean"},
		{"{n: {type: array}}", "a: 1", "n: 1", "`n` input: provided value is not an array"},
		{"{n: }", "a: 1", "n: 1", "`n` input: provided value is not a string"},
		{"{n: {default: }}", "a: 1", "", "`n` input: default value is not a string"},
		{"{n: {type: boolean, options: [true]}}", "a: 1", "n: true",
			"`n` input: Options can only be used with string and number inputs"},
		{"{n: {type: number, regex: x}}", "a: 1", "n: 1",
			"`n` input: RegEx validation can only be used with string inputs"},
		{"{e: {default: x}}", "a: 1", "zz: 1", "unknown input arguments: zz"},
		{"{e: , f: }", "a: 1", "zz: 1\nyy: 1", "unknown input arguments: zz, yy, " +
			"`e` input: required value has not been provided, `f` input: required value has not been provided"},
		{"{e: {default: x}}", use("inputs.f"), "", "unknown interpolation key: `f`"},
		{"{e: {default: x}}", use("other.f"), "", "unknown interpolation key: `other`"},
		{"{e: {default: x}}", use("inputs.e.f"), "", "unknown interpolation key: `f`"},
		{"{e: {default: x}}", use("inputs"), "", "invalid interpolation access pattern"},
		{"{e: {default: x}}", use("inputs." + long), "", "maximum interpolation expression size exceeded"},
		{"{e: {default: x}}", use("inputs.e | no(1)"), "", "no function matching `no(1)`: " +
			"check that the function name, arguments, and types are correct"},
		{"{e: {default: x}}", use("inputs.e | truncate(0,1) | truncate(0,1) | truncate(0,1) | truncate(0,1)"), "",
			"too many functions in interpolation block"},
		{"{e: {type: number, default: 1}}", use("inputs.e | truncate(0,1)"), "",
			"error in `truncate` function: invalid input type: truncate can only be used with string inputs"},
		{"{e: {default: $SECRET}}", use("inputs.e | expand_vars"), "",
			"error in `expand_vars` function: variable expansion error: masked variables cannot be expanded"},
		{"[e]", "a: 1", "", "header:spec:inputs config should be a hash"},
		{"{E: x}", "a: 1", "", "header:spec:inputs:e config should be a hash"},
		{"{E: {Foo: 1, bar: 2}}", "a: 1", "", "header:spec:inputs:e config contains unknown keys: foo, bar"},
		{"{e: {type: Text}}", "a: 1", "", "header:spec:inputs:e input type unknown value: text"},
		{"{e: {regex: 1}}", "a: 1", "", "header:spec:inputs:e input regex should be a string"},
		{"{e: {options: x}}", "a: 1", "", "header:spec:inputs:e input options should be a array"},
		{"{e: {options: [~]}}", "a: 1", "", "header:spec:inputs:e config options array cannot contain null values"},
		{"{e: {options: [" + fiftyOne.String() + "]}}", "a: 1", "",
			"header:spec:inputs:e config cannot define more than 50 options"},
		{"{}\n  foo: 1", "a: 1", "", "header:spec config contains unknown keys: foo"},
		{"{}\nfoo: 1", "a: 1", "", "header config contains unknown keys: foo"},
		{"{}\n  component: [names]", "a: 1", "", "header:spec:component config contains unknown values: names"},
	} {
		_, err := withInputs(t, test.spec, test.body, test.given)
		require.EqualError(t, err, test.want, test.spec)
		require.NotContains(t, message(err), ":0:", test.spec)
	}
}

func TestInputsWithoutHeader(t *testing.T) {
	t.Parallel()
	_, err := files{}.load("a: $[[ inputs.x ]]\n", func(r *document.Request) {
		r.Inputs, _ = document.Parse("inputs", []byte("x: 1"), document.Limits{})
	})
	require.EqualError(t, err, "Given inputs not defined in the `spec` section of the included configuration file")

	d, err := files{}.load("a: $[[ inputs.x ]]\n")
	require.NoError(t, err)
	require.Equal(t, `{"a":"$[[ inputs.x ]]"}`, shown(d.Root))
}

func TestInterpolationLimits(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 600_000)
	for name, test := range map[string]struct{ spec, body, want string }{
		"string": {"{e: {default: " + large + "}}", "a: $[[ inputs.e ]]$[[ inputs.e ]]", "config node too large"},
		"all": {"{e: {default: " + large + "}}", "a: [" + strings.Repeat("'x$[[ inputs.e ]]',", 30) + "]",
			"config too large"},
		"lists": {"{e: {type: array, default: [" + strings.Repeat("1,", 20_000) + "]}}",
			"a: [" + strings.Repeat("'$[[ inputs.e ]]',", 100) + "]",
			"Total size of combined CI/CD configuration is too big"},
		"blocks": {"{e: {default: x}}", "a: [" + manyBlocks(10_001) + "]", "too many interpolation blocks"},
		"variables": {"{e: {default: '" + strings.Repeat("$NAME", 400_000) + "'}}", "a: $[[ inputs.e | expand_vars ]]",
			"error in `expand_vars` function: variable expansion error: value is too long"},
	} {
		_, err := withInputs(t, test.spec, test.body, "")
		require.EqualError(t, err, test.want, name)
	}
}

// manyBlocks returns a list of different blocks.
func manyBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "'$[[ inputs.e | truncate(0,%d) ]]',", i+1)
	}
	return b.String()
}

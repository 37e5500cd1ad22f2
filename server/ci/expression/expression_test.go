package expression_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci/expression"
)

func evaluate(t *testing.T, text string, list ...expression.Variable) bool {
	t.Helper()
	parsed, err := expression.Parse(text)
	require.NoError(t, err, text)
	var v expression.Evaluator
	holds, err := v.Evaluate(parsed, expression.Values(list))
	require.NoError(t, err, text)
	return holds
}

// variables reads "A=1 B=x".
func variables(text string) (list []expression.Variable) {
	for field := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(field, "=")
		list = append(list, expression.Variable{Key: key, Value: value})
	}
	return list
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		given string
		holds bool
	}{
		{`$A`, "", false}, {`$A`, "A=", false}, {`$A`, "A=0", true}, {`$A`, "A=false", true},
		{`$A == null`, "", true}, {`$A == null`, "A=", false}, {`$A != null`, "A=", true},
		{`$A == ""`, "", false}, {`$A == ""`, "A=", true}, {`$A == ''`, "A=", true},
		{`$A =~ /x+/`, "", false}, {`$A !~ /x+/`, "", true}, {`$A =~ /x+/`, "A=axx", true},
		{`$A =~ $P`, "A=abc P=/^A/i", true}, {`$A =~ $P`, "A=abc P=/^b/", false}, {`$A =~ $P`, "A=bc P=abcd", true},
		{`$A =~ "abc"`, "A=b", true}, {`$A =~ "abc"`, "A=d", false}, {`$A =~ "abc"`, "", true},
		{`$A =~ /$B/`, "A=x B=x", false},
		{`$A =~ $P`, "A=x", false}, {`$A !~ $P`, "A=x", true}, {`$A =~ null`, "A=x", false},
		{`"x" == $A`, "A=x", true}, {`null == $A`, "", true}, {`"x" == "x"`, "", true},
		{`$A == $B`, "A=1 B=1", true}, {`$A == $B`, "", true}, {`$A != $B`, "A=1", true},
		{`$Q || $A && $B == "2"`, "A=1 B=2", true}, {`($Q || $A) && $B == "3"`, "A=1 B=2", false},
		{`!$Q && $A != "2"`, "A=1", true}, {`!$A`, "A=1", false}, {`!!$A`, "A=1", true}, {`!$A`, "A=", true},
		{`! ($A && $B)`, "A=1", true}, {`!$A == $B`, "", false},
		{`$A || $B`, "A= B=1", false}, // an empty text is a value, as the public configuration code has it
		{`$A && $B`, "A= B=1", true},
		{`$A == "1" == true`, "A=1", true}, {`$A == true`, "A=true", false},
		{`true`, "", true}, {`false || null`, "", false},
		{`$A =~ /^feature\/x$/`, "A=feature/x", true}, {`$A =~ /a.b/s`, "A=a.b", true}, {`$A =~ /a+?/U`, "A=aa", true},
		{`$A=~/ab/&&$B=~/cd/`, "A=ab B=cd", true}, {`$A =~ /ab/ && $B =~ /cd/`, "A=ab B=x", false},
		{"$A ==\n\t\"1\"", "A=1", true}, {`/ab/`, "", true}, {`$A =~ /v1|v2/`, "A=xv2", true},
		{`$A =~ /^\pL{10}$/`, "A=ábcdefghij", true},
	} {
		require.Equal(t, c.holds, evaluate(t, c.text, variables(c.given)...), "%s with %s", c.text, c.given)
	}
}

func TestInvalidConditions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, ` `, `$A =~ /x/`, `$A =~ /[ab/`, `$A =~ /(?=ab)/`, `${A}`, `$A == 1`, `$A = "1"`, `$A ==`, `== $A`, `($A`,
		`$A)`, `()`, `$A $B`, `!`, `$A == "1`, `foo`, `$A =~ /ab`, `$A &&`, `$A & $B`, `$A =~ /(a{1000}){1000}/`,
		`$A =~ /` + strings.Repeat("a{1000}", 11) + `/`, strings.Repeat("(", 60) + "$A" + strings.Repeat(")", 60),
		"$A" + strings.Repeat(" || $A", 50), `$A == "` + strings.Repeat("x", 70_000) + `"`, "\x00", "$\xff",
	} {
		_, err := expression.Parse(text)
		require.ErrorIs(t, err, expression.ErrSyntax, text)
	}
	_, err := expression.Parse("$A" + strings.Repeat(" || $A", 49)) // 99 tokens
	require.NoError(t, err)
}

// Patterns match in a time that is linear in the text, and are refused where that is too much.
func TestHostilePatterns(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	text := expression.Variable{Key: "A", Value: strings.Repeat("a", 20_000)}
	require.False(t, evaluate(t, `$A =~ /^(a+)+$b/`, text))
	require.False(t, evaluate(t, `$A =~ /(a|aa)+$b/`, text))
	parsed, err := expression.Parse(`$A =~ /(a{900}){0,1}b{900}(a?){900}c/`)
	require.NoError(t, err)
	var v expression.Evaluator
	_, err = v.Evaluate(parsed, expression.Values([]expression.Variable{text}))
	require.ErrorIs(t, err, expression.ErrExpensive)
	require.Less(t, time.Since(begin), 20*time.Second)
}

func TestMatch(t *testing.T) {
	t.Parallel()
	var v expression.Evaluator
	matched, ok, err := v.Match(`/^V\d+/i`, "v12")
	require.True(t, matched && ok)
	require.NoError(t, err)
	for _, text := range []string{"main", "/", "//", "/x/", `/[/`, `/ab/x`, `/ab/ `} {
		_, ok, _ := v.Match(text, "v12")
		require.False(t, ok, text)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	lookup := expression.Values(variables("A=1 B=$A C= B2=x"))
	for text, want := range map[string][2]string{
		"$A":           {"1", "1"},
		"${A}b %A%":    {"1b 1", "1b 1"},
		"$$A %%A%%":    {"$$A %%A%%", "$$A %%A%%"},
		"$$$A":         {"$$1", "$$1"},
		"$B":           {"$A", "$A"},
		"$X ${X} %X%":  {"  ", "$X ${X} %X%"},
		"$C|":          {"|", "|"},
		"$B2":          {"x", "x"},
		"$ ${ ${} %A ": {"$ ${ ${} %A ", "$ ${ ${} %A "},
		"$1 ${A b}":    {"$1 ${A b}", "$1 ${A b}"},
		"100% of $A":   {"100% of 1", "100% of 1"},
		"":             {"", ""},
	} {
		require.Equal(t, want[0], expression.Expand(text, lookup), text)
		require.Equal(t, want[1], expression.ExpandKnown(text, lookup), text)
	}
	require.Equal(t, []string{"A", "B", "A"}, expression.References("$A${B}%A%$$C"))
}

func TestResolve(t *testing.T) {
	t.Parallel()
	list := []expression.Variable{
		{Key: "A", Value: "$B-$F-$R-$X"}, {Key: "B", Value: "${C}"}, {Key: "C", Value: "1"},
		{Key: "F", Value: "text", File: true}, {Key: "R", Value: "$C", Raw: true},
		{Key: "C", Value: "$C:2"}, // to the C that it replaces
		{Key: "S", Value: "$S"},
	}
	resolved, err := expression.Resolve(list, expression.ForRunner)
	require.NoError(t, err)
	require.Equal(t, []string{"1:2-$F-$R-$X", "1:2", "1", "text", "$C", "1:2", "$S"}, values(resolved))
	require.Equal(t, "$B-$F-$R-$X", list[0].Value) // is not changed
	resolved, err = expression.Resolve(list, expression.ForServer)
	require.NoError(t, err)
	require.Equal(t, []string{"1:2-text-$C-", "1:2", "1", "text", "$C", "1:2", ""}, values(resolved))
}

func values(list []expression.Variable) (values []string) {
	for _, v := range list {
		values = append(values, v.Value)
	}
	return values
}

func TestResolveCircles(t *testing.T) {
	t.Parallel()
	_, err := expression.Resolve(variables("A=$B B=$A C=1"), expression.ForRunner)
	require.EqualError(t, err, `circular variable reference detected: ["A", "B"]`)
	_, err = expression.Resolve(variables("A=$B B=$C C=$A D=${E} E=%D%"), expression.ForServer)
	require.EqualError(t, err, `circular variable reference detected: ["A", "B", "C"], ["D", "E"]`)
	raw := []expression.Variable{{Key: "A", Value: "$B", Raw: true}, {Key: "B", Value: "$A"}}
	_, err = expression.Resolve(raw, expression.ForServer)
	require.NoError(t, err)
}

// A value of references to values of references grows exponentially, up to the limit.
func TestResolveBomb(t *testing.T) {
	t.Parallel()
	list := []expression.Variable{{Key: "A0", Value: strings.Repeat("x", 1000)}}
	for i := range 60 {
		name := "$A" + strings.Repeat("x", i)
		list = append(list, expression.Variable{Key: "A" + strings.Repeat("x", i+1), Value: strings.Repeat(name, 10)})
	}
	list = append(list, expression.Variable{Key: "A", Value: "0123456789"})
	_, err := expression.Resolve(list, expression.ForServer)
	require.ErrorIs(t, err, expression.ErrTooLarge)

	var chain []expression.Variable
	for i := range 100_000 {
		chain = append(chain, expression.Variable{
			Key: "V" + strings.Repeat("a", i%7) + time.Duration(i).String(), Value: "1"})
	}
	for i := range len(chain) - 1 {
		chain[i].Value = "$" + chain[i+1].Key
	}
	_, err = expression.Resolve(chain, expression.ForServer)
	require.NoError(t, err)
}

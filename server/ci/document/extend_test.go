package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// chain returns jobs .j1 to .jn, each of which extends the next.
func chain(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, ".j%d: {extends: .j%d, v%d: 1}\n", i+1, i+2, i+1)
	}
	fmt.Fprintf(&b, ".j%d: {v%d: 1}\n", n, n)
	return b.String()
}

func TestExtends(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, job, want string }{
		{"P04", ".base: {stage: build, script: [one], variables: {A: 1, B: 2}, tags: [t1, t2]}\n" +
			"a: {extends: .base, variables: {B: 3}, tags: [t3]}\n", "a",
			`{"stage":"build","script":["one"],"variables":{"A":1,"B":3},"tags":["t3"],"extends":".base"}`},
		{"P05", ".x: {script: [x], variables: {A: x}}\n.y: {script: [y], variables: {B: y}}\n" +
			"a: {extends: [.x, .y], variables: {C: a}}\n", "a",
			`{"script":["y"],"variables":{"A":"x","B":"y","C":"a"},"extends":[".x",".y"]}`},
		{"null drops", ".x: {retry: 2, script: [x]}\na: {extends: .x, retry: ~}\n", "a",
			`{"retry":null,"script":["x"],"extends":".x"}`},
		{"any map", "default: {tags: [t]}\na: {extends: default}\n", "a", `{"tags":["t"],"extends":"default"}`},
		{"twice", ".x: {a: 1}\n.y: {extends: .x, b: 1}\na: {extends: .y}\n", "a", `{"a":1,"extends":".y","b":1}`},
		{"later parent", "a: {extends: .y}\n.y: {extends: .x}\n.x: {a: 1}\n", "a", `{"a":1,"extends":".y"}`},
		{"empty", "a: {extends: ~, b: 1}\n", "a", `{"extends":null,"b":1}`},
		{"eleven ancestors of the last", chain(12), ".j2", `{"v12":1,"extends":".j3","v11":1,"v10":1,"v9":1,` +
			`"v8":1,"v7":1,"v6":1,"v5":1,"v4":1,"v3":1,"v2":1}`},
		{"whole job", ".x: {a: 1}\na: 1\nb: {extends: .x, x: {extends: c}}\n", "b",
			`{"a":1,"extends":".x","x":{"extends":"c"}}`},
	} {
		d, err := files{}.load(test.content)
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, shown(d.Root.Get(test.job)), test.name)
	}
}

func TestExtendsFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, want string }{
		{"P06", "a: {extends: .b, script: x}\n.b: {extends: a}\n", ":1: a: circular dependency detected in `extends`"},
		{"itself", "x: 1\na:\n  script: x\n  extends: a\n", ":4: a: circular dependency detected in `extends`"},
		{"missing", "a: {extends: .x}\n", ":1: a: unknown keys in `extends` (.x)"},
		{"missing ones", "a: {extends: [.x, a, .y]}\n", ":1: a: unknown keys in `extends` (.x, .y)"},
		{"no map", "x: [1]\na: {extends: x}\n", ":2: a: invalid base hashes in `extends` (x)"},
		{"null parent", ".x:\nA: {extends: .x}\n", ":2: A: invalid base hashes in `extends` (.x)"},
		{"odd value", "a: {extends: {b: c}}\n", ":1: a: unknown keys in `extends` ({\"b\":\"c\"})"},
		{"deep", chain(13), ":12: .j12: nesting too deep in `extends`"},
		{"deep from below", reversed(chain(13)), ":2: .j12: nesting too deep in `extends`"},
		{"circle beyond the depth", chain(13) + ".j13: {extends: .j1}\n", ":12: .j12: nesting too deep in `extends`"},
	} {
		_, err := files{}.load(test.content)
		require.Equal(t, ".gitlab-ci.yml"+test.want, message(err), test.name)
	}
}

// reversed returns the lines in the other order.
func reversed(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, job, want string }{
		{"P07", ".s: {script: [one, two]}\na: {script: [zero, !reference [.s, script], [three, [four]]]}\n", "a",
			`{"script":["zero",["one","two"],["three",["four"]]]}`},
		{"whole value", ".s: {script: x}\na: {script: !reference [.s, script]}\n", "a", `{"script":"x"}`},
		{"rules", ".r: {rules: [{if: $A}, {when: never}]}\na: {rules: [!reference [.r, rules], {when: always}]}\n", "a",
			`{"rules":[[{"if":"$A"},{"when":"never"}],{"when":"always"}]}`},
		{"nested", ".a: {x: [1]}\n.b: {x: [!reference [.a, x], 2]}\nc: {x: !reference [.b, x]}\n", "c",
			`{"x":[[1],2]}`},
		{"map", ".v: {variables: {A: 1}}\na: {variables: !reference [.v, variables]}\n", "a", `{"variables":{"A":1}}`},
		{"top", "image: x\na: {image: !reference [image]}\n", "a", `{"image":"x"}`},
		{"through a reference", ".a: {x: {y: 1}}\n.b: !reference [.a, x]\nc: {z: !reference [.b, y]}\n", "c",
			`{"z":1}`},
		{"merged job", ".a: {s: [1]}\n.b: {extends: .a}\nc: {s: !reference [.b, s]}\n", "c", `{"s":[1]}`},
		{"own job", "a: {x: 1, y: !reference [a, x]}\n", "a", `{"x":1,"y":1}`},
		{"twice", ".a: {x: [1]}\nb: {x: [!reference [.a, x], !reference [.a, x]]}\n", "b", `{"x":[[1],[1]]}`},
		{"alias", ".a: {x: [1]}\n.b: &b [!reference [.a, x]]\nc: {x: *b, y: *b}\n", "c", `{"x":[[1]],"y":[[1]]}`},
		{"P08", ".t: &t {script: [x], variables: {A: 1}}\na: {<<: *t, variables: {B: 2}}\n", "a",
			`{"script":["x"],"variables":{"B":2}}`},
		{"P09", "default: {before_script: [d], retry: 2}\nb: {script: x, inherit: {default: [retry]}}\n", "b",
			`{"script":"x","inherit":{"default":["retry"]}}`},
	} {
		d, err := files{}.load(test.content)
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, shown(d.Root.Get(test.job)), test.name)
	}
}

func TestReferenceFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, want string }{
		{"missing", "x: 1\na: {b: !reference [a, c]}\n", `:2: !reference ["a", "c"] could not be found`},
		{"missing job", "a: {b: !reference [.c, d]}\n", `:1: !reference [".c", "d"] could not be found`},
		{"null", "a: {b: ~, c: !reference [a, b]}\n", `:1: !reference ["a", "b"] could not be found`},
		{"false", "a: {b: no, c: !reference [a, b]}\n", `:1: !reference ["a", "b"] could not be found`},
		{"in a list", "a: {b: [1], c: !reference [a, b, '0']}\n", `:1: !reference ["a", "b", "0"] could not be found`},
		{"text", "a: {b: !reference foo}\n", `:1: !reference "foo" is not valid`},
		{"empty", "a: {b: !reference []}\n", `:1: !reference [] is not valid`},
		{"number", "a: {b: !reference [a, 1, ~]}\n", `:1: !reference ["a", 1, nil] is not valid`},
		{"map", "a: {b: !reference {c: [1]}}\n", `:1: !reference {"c"=>[1]} is not valid`},
		{"itself", "a: {b: !reference [a, b]}\n", `:1: !reference ["a", "b"] is part of a circular chain`},
		{"around", "a: [!reference [b]]\nb: [!reference [a]]\n", `:1: !reference ["b"] is part of a circular chain`},
		{"inside", "a: {b: [1, !reference [a]]}\n", `:1: !reference ["a"] is part of a circular chain`},
		{"through", ".a: !reference [.b]\n.b: !reference [.a, x]\n",
			`:1: !reference [".b"] is part of a circular chain`},
	} {
		_, err := files{}.load(test.content)
		require.Equal(t, ".gitlab-ci.yml"+test.want, message(err), test.name)
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

func obj(fields ...any) cty.Value {
	m := map[string]cty.Value{}
	for i := 0; i < len(fields); i += 2 {
		switch v := fields[i+1].(type) {
		case string:
			m[fields[i].(string)] = str(v)
		case int:
			m[fields[i].(string)] = num(int64(v))
		case cty.Value:
			m[fields[i].(string)] = v
		}
	}
	return cty.ObjectVal(m)
}

func listOf(words string) cty.Value {
	var all []cty.Value
	for w := range strings.FieldsSeq(words) {
		all = append(all, str(w))
	}
	return cty.TupleVal(all)
}

var (
	long  = strings.Repeat("The quick brown fox jumps over the lazy dog. ", 12)
	key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl deploy@example.com"
	prose = "# Platform\n\nEverything about the platform and its many services, in one place for all of us.\n\n## Owners\n\nalice\nbob\n"
)

// TestDifferences shows what becomes of every sort of difference.
func TestDifferences(t *testing.T) {
	t.Parallel()
	anything := &schema.Attr{Name: "value", Type: cty.DynamicPseudoType}
	null, empty := cty.NullVal(cty.String), str("")
	var files []txtar.File
	for _, c := range []struct {
		name          string
		before, after cty.Value
	}{
		{"null to empty text", null, empty},
		{"empty text to null", empty, null},
		{"null to empty list", cty.NullVal(cty.List(cty.String)), cty.EmptyTupleVal},
		{"empty list to empty map", cty.EmptyTupleVal, cty.EmptyObjectVal},
		{"null to false", cty.NullVal(cty.Bool), cty.False},
		{"null to zero", cty.NullVal(cty.Number), num(0)},
		{"case", str("Main"), str("main")},
		{"white space", str("a b"), str("a  b ")},
		{"a line end", str("on"), str("on\n")},
		{"CRLF", str("a\r\nb\r\n"), str("a\nb\n")},
		{"tabs", str("a\n\tb\n"), str("a\n    b\n")},
		{"no newline at the end", str("a\nb\n"), str("a\nb")},
		{"newline at the end", str("a\nb"), str("a\nb\n")},
		{"space at the end of a line", str("a\nb\n"), str("a  \nb\n")},
		{"null to lines", null, str("a\nb\n")},
		{"empty to lines", empty, str("a\nb\n")},
		{"lines to null", str("a\nb\n"), null},
		{"lines, one of many", str(prose), str(strings.Replace(prose, "bob", "carol", 1))},
		{"lines, a word of a long one", str(prose), str(strings.Replace(prose, "many", "few", 1))},
		{"a word of a long text", str(long), str(strings.Replace(long, "lazy dog. The quick brown fox jumps over the lazy", "lazy dog. The slow brown fox jumps over the lazy", 1))},
		{"long texts, alike but for case", str(strings.ToLower(key)), str(strings.ToUpper(key))},
		{"long texts that have nothing in common", str(key), str("https://ci.example.com/hooks/0123456789?ref=main&token=none&verbose=yes")},
		{"east asian words", str("平台团队负责维护所有的内部服务，并且每天都要检查一遍运行状况，如果发现问题就马上报告给负责人，然后修复它"), str("平台团队负责维护所有的外部服务，并且每天都要检查一遍运行状况，如果发现问题就马上报告给负责人，然后修复它")},
		{"a short list", listOf("a b"), listOf("a c")},
		{"a long list", list12("x"), list12("y")},
		{"another order", listOf("topic-1 topic-2 topic-3 topic-4 topic-5"), listOf("topic-2 topic-1 topic-3 topic-4 topic-5")},
		{"from null to a long list", cty.NullVal(cty.List(cty.String)), list12("x")},
		{"from a long list to empty", list12("x"), cty.EmptyTupleVal},
		{"a set", cty.SetVal([]cty.Value{str("analytics"), str("backend"), str("database"), str("platform")}), cty.SetVal([]cty.Value{str("analytics"), str("frontend"), str("database"), str("platform")})},
		{"an object by its elements", obj("url", "https://a", "events", 3, "old", "x", "same", 1), obj("url", "https://b", "events", 3, "new", "y", "same", 1)},
		{"an object with null and empty", obj("a", empty, "b", null, "c", cty.EmptyTupleVal), obj("a", null, "b", empty, "c", cty.NullVal(cty.List(cty.String)))},
		{"nested", obj("push", obj("level", 30, "users", list12("x")), "merge", obj("level", 40)), obj("push", obj("level", 40, "users", list12("y")), "merge", obj("level", 40))},
		{"a long text in an object", obj("text", prose), obj("text", strings.Replace(prose, "bob\n", "", 1))},
		{"a secret within", obj("url", "https://a", "password", "p").Mark(schema.Secret), obj("url", "https://a", "password", token)},
		{"a secret within, long", obj("url", "https://a").Mark(schema.Secret), obj("url", "https://integration.example.com/api/v4/webhooks", "password", token, "user", "deploy")},
		{"keys that need quotes", obj("a b", 1, "é", 1), obj("a b", 2, "é", 1)},
		{"known later, in part", obj("id", 7, "name", "a"), obj("id", cty.UnknownVal(cty.Number), "name", "a")},
		{"known later", listOf("a"), cty.UnknownVal(cty.List(cty.String))},
		{"control characters", str("a\x1b[2Jb"), str("a\u202eb\nc\x07\n")},
	} {
		it := item{sign: plan.Update, name: "group.x", rows: attrRows(&plan.Change{}, []plan.PathChange{{Attr: anything, Before: c.before, After: c.after, Cause: plan.ByConfig}})}
		var b strings.Builder
		(&text{console: console{Writer: &b}}).items([]item{it})
		_, rows, _ := strings.Cut(b.String(), "\n")
		files = append(files, txtar.File{Name: c.name, Data: []byte(rows)})
	}
	wanted(t, "differences", files...)
}

// TestStated shows what becomes of values of something new.
func TestStated(t *testing.T) {
	t.Parallel()
	anything := &schema.Attr{Name: "value", Type: cty.DynamicPseudoType}
	many := make([]cty.Value, 40)
	for i := range many {
		many[i] = obj("level", i, "name", strings.Repeat("n", i))
	}
	var files []txtar.File
	for _, c := range []struct {
		name  string
		value cty.Value
	}{
		{"lines", str("one\ntwo ${three}\n")},
		{"a line with its end", str("one\n")},
		{"a long object", obj("url", "https://integration.example.com/api/v4/webhooks", "levels", obj("push", 30, "merge", 40, "users", list12("x")), "password", token)},
		{"more than anybody reads", cty.TupleVal(many)},
		{"an empty map", cty.EmptyObjectVal},
	} {
		change := &plan.Change{Action: plan.Create, Kind: &schema.Kind{}, Paths: []plan.PathChange{{Attr: anything, After: c.value}}}
		var b strings.Builder
		(&text{console: console{Writer: &b}}).items([]item{{sign: plan.Create, name: "group.x", rows: createRows(change)}})
		_, rows, _ := strings.Cut(b.String(), "\n")
		files = append(files, txtar.File{Name: c.name, Data: []byte(rows)})
	}
	wanted(t, "stated", files...)
}

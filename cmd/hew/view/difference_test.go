package view

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

func listOf(words string) cty.Value {
	var all []cty.Value
	for w := range strings.FieldsSeq(words) {
		all = append(all, reporttest.Str(w))
	}
	return cty.TupleVal(all)
}

var (
	long = strings.Repeat("The quick brown fox jumps over the lazy dog. ", 12)
	key  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl deploy@example.com"
)

// rowsOf is what stands below a change.
func rowsOf(c plan.Change) string {
	c.Addr, c.Kind = addr.Instance{Block: addr.Block{Kind: "group", Name: "x"}}, &schema.Kind{Name: "group"}
	var b strings.Builder
	(&Text{Console: Console{Writer: &b}}).groups(
		report.Groups(recorded(&plan.Plan{Changes: []plan.Change{c}}), report.Grouped),
	)
	_, rows, _ := strings.Cut(b.String(), "\n")
	return rows
}

// TestDifferences shows what becomes of every sort of difference.
func TestDifferences(t *testing.T) {
	t.Parallel()
	anything := &schema.Attr{Name: "value", Type: cty.DynamicPseudoType}
	null, empty := cty.NullVal(cty.String), reporttest.Str("")
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
		{"null to zero", cty.NullVal(cty.Number), reporttest.Num(0)},
		{"case", reporttest.Str("Main"), reporttest.Str("main")},
		{"white space", reporttest.Str("a b"), reporttest.Str("a  b ")},
		{"a line end", reporttest.Str("on"), reporttest.Str("on\n")},
		{"CRLF", reporttest.Str("a\r\nb\r\n"), reporttest.Str("a\nb\n")},
		{"tabs", reporttest.Str("a\n\tb\n"), reporttest.Str("a\n    b\n")},
		{"no newline at the end", reporttest.Str("a\nb\n"), reporttest.Str("a\nb")},
		{"newline at the end", reporttest.Str("a\nb"), reporttest.Str("a\nb\n")},
		{"space at the end of a line", reporttest.Str("a\nb\n"), reporttest.Str("a  \nb\n")},
		{"null to lines", null, reporttest.Str("a\nb\n")},
		{"empty to lines", empty, reporttest.Str("a\nb\n")},
		{"lines to null", reporttest.Str("a\nb\n"), null},
		{"lines, one of many", reporttest.Str(reporttest.Handbook),
			reporttest.Str(strings.Replace(reporttest.Handbook, "bob", "carol", 1))},
		{"lines, a word of a long one", reporttest.Str(reporttest.Handbook),
			reporttest.Str(strings.Replace(reporttest.Handbook, "many", "few", 1))},
		{"a word of a long text", reporttest.Str(long),
			reporttest.Str(strings.Replace(long, "lazy dog. The quick brown fox jumps over the lazy",
				"lazy dog. The slow brown fox jumps over the lazy", 1))},
		{"long texts, alike but for case", reporttest.Str(strings.ToLower(key)), reporttest.Str(strings.ToUpper(key))},
		{"long texts that have nothing in common", reporttest.Str(key),
			reporttest.Str("https://ci.example.com/hooks/0123456789?ref=main&token=none&verbose=yes")},
		{"east asian words", reporttest.Str("平台团队负责维护所有的内部服务，并且每天都要检查一遍运行状况，如果发现问题就马上报告给负责人，然后修复它"),
			reporttest.Str("平台团队负责维护所有的外部服务，并且每天都要检查一遍运行状况，如果发现问题就马上报告给负责人，然后修复它")},
		{"a short list", listOf("a b"), listOf("a c")},
		{"a long list", reporttest.LongList("x"), reporttest.LongList("y")},
		{"another order", listOf("topic-1 topic-2 topic-3 topic-4 topic-5"),
			listOf("topic-2 topic-1 topic-3 topic-4 topic-5")},
		{"from null to a long list", cty.NullVal(cty.List(cty.String)), reporttest.LongList("x")},
		{"from a long list to empty", reporttest.LongList("x"), cty.EmptyTupleVal},
		{"a set", cty.SetVal([]cty.Value{reporttest.Str("analytics"), reporttest.Str("backend"),
			reporttest.Str("database"),
			reporttest.Str("platform")}), cty.SetVal([]cty.Value{reporttest.Str("analytics"),
			reporttest.Str("frontend"), reporttest.Str("database"), reporttest.Str("platform")})},
		{"an object by its elements", reporttest.Obj("url", "https://a", "events", 3, "old", "x", "same", 1),
			reporttest.Obj("url", "https://b", "events", 3, "new", "y", "same", 1)},
		{"an object with null and empty", reporttest.Obj("a", empty, "b", null, "c", cty.EmptyTupleVal),
			reporttest.Obj("a", null, "b", empty, "c", cty.NullVal(cty.List(cty.String)))},
		{"nested", reporttest.Obj("push", reporttest.Obj("level", 30, "users", reporttest.LongList("x")), "merge",
			reporttest.Obj("level", 40)), reporttest.Obj("push",
			reporttest.Obj("level", 40, "users", reporttest.LongList("y")), "merge", reporttest.Obj("level", 40))},
		{"a long text in an object", reporttest.Obj("text", reporttest.Handbook),
			reporttest.Obj("text", strings.Replace(reporttest.Handbook, "bob\n", "", 1))},
		{"a secret within", reporttest.Obj("url", "https://a", "password", "p").Mark(schema.Secret),
			reporttest.Obj("url", "https://a", "password", reporttest.Token)},
		{"a secret within, long", reporttest.Obj("url", "https://a").Mark(schema.Secret),
			reporttest.Obj("url", "https://integration.example.com/api/v4/webhooks", "password", reporttest.Token,
				"user", "deploy")},
		{"keys that need quotes", reporttest.Obj("a b", 1, "é", 1), reporttest.Obj("a b", 2, "é", 1)},
		{"known later, in part", reporttest.Obj("id", 7, "name", "a"),
			reporttest.Obj("id", cty.UnknownVal(cty.Number), "name", "a")},
		{"known later", listOf("a"), cty.UnknownVal(cty.List(cty.String))},
		{"control characters", reporttest.Str("a\x1b[2Jb"), reporttest.Str("a\u202eb\nc\x07\n")},
	} {
		change := plan.Change{Action: plan.Update,
			Paths: []plan.PathChange{{Attr: anything, Before: c.before, After: c.after, Cause: plan.ByConfig}}}
		files = append(files, txtar.File{Name: c.name, Data: []byte(rowsOf(change))})
	}
	reporttest.Wanted(t, "differences", files...)
}

// TestStated shows what becomes of values of something new.
func TestStated(t *testing.T) {
	t.Parallel()
	anything := &schema.Attr{Name: "value", Type: cty.DynamicPseudoType}
	many := make([]cty.Value, 40)
	for i := range many {
		many[i] = reporttest.Obj("level", i, "name", strings.Repeat("n", i))
	}
	var files []txtar.File
	for _, c := range []struct {
		name  string
		value cty.Value
	}{
		{"lines", reporttest.Str("one\ntwo ${three}\n")},
		{"a line with its end", reporttest.Str("one\n")},
		{"a long object", reporttest.Obj("url", "https://integration.example.com/api/v4/webhooks", "levels",
			reporttest.Obj("push", 30, "merge", 40, "users", reporttest.LongList("x")), "password", reporttest.Token)},
		{"more than anybody reads", cty.TupleVal(many)},
		{"an empty map", cty.EmptyObjectVal},
	} {
		change := plan.Change{Action: plan.Create, Paths: []plan.PathChange{{Attr: anything, After: c.value}}}
		files = append(files, txtar.File{Name: c.name, Data: []byte(rowsOf(change))})
	}
	reporttest.Wanted(t, "stated", files...)
}

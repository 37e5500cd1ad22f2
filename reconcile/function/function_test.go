package function

import (
	"bufio"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"hew/reconcile/file"
	"hew/schema"
)

const hush = "hush-hush"

// functionScope is what the lines of testdata are evaluated with.
func functionScope(t *testing.T) *hcl.EvalContext {
	now := time.Date(2026, 1, 31, 14, 0, 0, 0, time.FixedZone("", 2*60*60))
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	//lint:ignore SA1019 it is what rsadecrypt reads
	ciphertext, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte("message"))
	require.NoError(t, err)
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf(
			"a%d: &a%[1]d [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "),
		)
	}
	return &hcl.EvalContext{
		Functions: New(file.Dir{FS: os.DirFS("testdata"), Root: "files"}, now, nil),
		Variables: map[string]cty.Value{
			"unknown": cty.UnknownVal(cty.String), "unknown_number": cty.UnknownVal(cty.Number),
			"unknown_bool": cty.UnknownVal(cty.Bool),
			"unknown_list": cty.UnknownVal(cty.List(cty.String)), "anything": cty.DynamicVal,
			"secret": cty.StringVal(hush).Mark(schema.Secret), "bomb": cty.StringVal(bomb),
			"deep":       cty.StringVal(strings.Repeat("[", 20_000)),
			"ciphertext": cty.StringVal(encode64(ciphertext)),
			"private_key": cty.StringVal(string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY",
				Bytes: x509.MarshalPKCS1PrivateKey(key)}))).Mark(schema.Secret),
		},
	}
}

// TestFunctions evaluates every line of testdata: "call => value" or
// "call !> part of the error". Every function has lines there, and every
// function that is left out.
func TestFunctions(t *testing.T) {
	t.Parallel()
	ctx := functionScope(t)
	shown := map[string]bool{}
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, p := range paths {
		f, err := os.Open(p)
		require.NoError(t, err)
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			if line := lines.Text(); line != "" && line[0] != '#' {
				at := fmt.Sprintf("%s:%d", filepath.Base(p), n)
				t.Run(at, func(t *testing.T) { shown[functionLine(t, at, line, ctx)] = true })
			}
		}
		require.NoError(t, lines.Err())
		require.NoError(t, f.Close())
	}
	for _, s := range Signatures() {
		require.True(t, shown[s.Name], "%s has no line in testdata", s.Name)
	}
	for name := range Absent() {
		require.True(t, shown[name], "%s has no line in testdata", name)
	}
}

// functionLine checks a line and returns the function that it calls.
func functionLine(t *testing.T, at, line string, ctx *hcl.EvalContext) string {
	sign := " => "
	i := strings.LastIndex(line, sign)
	if j := strings.LastIndex(line, " !> "); j > i {
		sign, i = " !> ", j
	}
	require.Positive(t, i, "%s: neither => nor !>", at)
	call, want := parseCall(t, at, line[:i]), strings.TrimSpace(line[i+len(sign):])
	if why := absence(call.Name); why != "" {
		require.Equal(t, " !> ", sign, at)
		require.Contains(t, why, want, at)
		require.NotContains(t, ctx.Functions, call.Name, at)
		return call.Name
	}
	got, diags := call.Value(ctx)
	if sign == " !> " {
		require.True(t, diags.HasErrors(), "%s: no error but %#v", at, got)
		require.Contains(t, diags.Error(), want, at)
		require.NotContains(t, diags.Error(), hush, at)
		return call.Name
	}
	require.False(t, diags.HasErrors(), "%s: %s", at, diags)
	x, diags := hclsyntax.ParseExpression([]byte(want), at, hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s: %s", at, diags)
	value, diags := x.Value(ctx)
	require.False(t, diags.HasErrors(), "%s: %s", at, diags)
	require.Equal(t, describe(value), describe(got), at)
	return call.Name
}

func parseCall(t *testing.T, at, src string) *hclsyntax.FunctionCallExpr {
	x, diags := hclsyntax.ParseExpression([]byte(strings.TrimSpace(src)), at, hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s: %s", at, diags)
	call, ok := x.(*hclsyntax.FunctionCallExpr)
	require.True(t, ok, "%s: the line is no call of a function", at)
	return call
}

// describe writes a value as JSON that shows what is unknown and what is
// secret, and does not distinguish lists from tuples or maps from objects.
func describe(v cty.Value) string {
	bare, _ := v.Unmark()
	switch t := bare.Type(); {
	case v.HasMark(schema.Secret):
		return "secret(" + describe(bare) + ")"
	case !bare.IsKnown():
		return "unknown"
	case bare.IsNull():
		return "null"
	case t.IsPrimitiveType():
		b, err := ctyjson.Marshal(bare, t)
		if err != nil {
			panic(err)
		}
		return string(b)
	case t.IsMapType() || t.IsObjectType():
		var parts []string
		for it := bare.ElementIterator(); it.Next(); {
			k, e := it.Element()
			parts = append(parts, k.AsString()+":"+describe(e))
		}
		return "{" + strings.Join(parts, ",") + "}"
	default:
		var parts []string
		for _, e := range bare.AsValueSlice() {
			parts = append(parts, describe(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
}

// TestFunctionsKeepSecrets calls every function with secrets of all kinds: the
// result is one again, and no error tells what it is.
func TestFunctionsKeepSecrets(t *testing.T) {
	t.Parallel()
	ctx := functionScope(t)
	open := map[string]bool{"can": true, "issensitive": true, "nonsensitive": true, "plantimestamp": true}
	for _, arg := range []string{
		`secret`, `sensitive([secret])`, `sensitive({"hush-hush" = nonsensitive(secret)})`, `sensitive(7)`,
		`sensitive("{\"hush-hush\"")`, `sensitive("- hush-hush: [")`, `sensitive("%hush-hush(")`,
		`sensitive("hush-hush,hush-hush")`, `sensitive("$${hush-hush}")`,
	} {
		for _, s := range Signatures() {
			for _, count := range arity(s) {
				src := fmt.Sprintf("%s(%s)", s.Name, strings.TrimSuffix(strings.Repeat(arg+", ", count), ", "))
				if s.Name == "convert" {
					src = fmt.Sprintf("convert(%s, number)", arg)
				}
				v, diags := parseCall(t, "call", src).Value(ctx)
				if diags.HasErrors() {
					require.NotContains(t, diags.Error(), hush, src)
				} else if count > 0 && !open[s.Name] {
					require.True(t, schema.IsSecret(v), "%s shows %#v", src, v)
				}
			}
		}
	}
}

// arity lists the numbers of arguments worth calling a function with.
func arity(s Signature) []int {
	n := len(s.Params)
	if n > 0 && s.Params[n-1].Variadic {
		return []int{n - 1, n, n + 1}
	}
	return []int{n}
}

// source is a mark that says where a value comes from.
type source string

const itself source = "the value itself"

func (source) Derived() any { return source("made of it") }

// TestFunctionsWait calls every function with values that are not known yet:
// nothing is made up, and the result says what it waits for.
func TestFunctionsWait(t *testing.T) {
	t.Parallel()
	ctx := functionScope(t)
	unknown := map[string]cty.Type{
		"string": cty.String, "number": cty.Number, "any": cty.DynamicPseudoType, "expression": cty.String,
		"list(any)": cty.List(cty.String), "set(any)": cty.Set(cty.String),
		"list(string)": cty.List(cty.String), "list(number)": cty.List(cty.Number), "list(bool)": cty.List(cty.Bool),
		"map(list(string))": cty.Map(cty.List(cty.String)),
	}
	for _, s := range Signatures() {
		if len(s.Params) == 0 {
			continue
		}
		var names []string
		for i, p := range s.Params {
			name := fmt.Sprintf("p%d", i)
			if p.Type == "type" {
				name = "number"
			} else {
				require.Contains(t, unknown, p.Type, "%s: say here what is an unknown %s", s.Name, p.Type)
				ctx.Variables[name] = cty.UnknownVal(unknown[p.Type]).Mark(itself)
			}
			names = append(names, name)
		}
		src := s.Name + "(" + strings.Join(names, ", ") + ")"
		v, diags := parseCall(t, src, src).Value(ctx)
		require.False(t, diags.HasErrors(), "%s: %s", src, diags)
		require.False(t, v.IsKnown(), "%s is %#v", src, v)
		want := itself.Derived()
		if s.Name == "nonsensitive" || s.Name == "issensitive" {
			want = itself // marks are what these are about
		}
		require.Contains(t, v.Marks(), want, src)
	}
}

func TestSignature(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"join":          "join(separator string, lists list(string)...) string",
		"convert":       "convert(value any, type type)",
		"try":           "try(expressions expression...)",
		"keys":          "keys(inputMap any)",
		"can":           "can(expression expression) bool",
		"plantimestamp": "plantimestamp() string",
	}
	for _, s := range Signatures() {
		require.True(t, strings.HasSuffix(s.Doc, "."), "%s: %s", s.Name, s.Doc)
		require.NotEmpty(t, s.Group, s.Name)
		if w, ok := want[s.Name]; ok {
			require.Equal(t, w, s.String())
			delete(want, s.Name)
		}
	}
	require.Empty(t, want)
}

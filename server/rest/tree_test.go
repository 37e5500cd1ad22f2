package rest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseForm(t *testing.T) {
	t.Parallel()
	tests := []struct{ form, want string }{
		{``, `{}`},
		{`a=1&&b=`, `{"a":"1","b":""}`},
		{`a=1&a=2`, `{"a":"2"}`},
		{`a=x+y%2Bz&caf%C3%A9=%F0%9F%8D%B5`, `{"a":"x y+z","café":"🍵"}`},
		{`a[]=1&a[]=2`, `{"a":["1","2"]}`},
		{`a%5Bb%5D=1&a[c][d]=2`, `{"a":{"b":"1","c":{"d":"2"}}}`},
		{`a[][k]=1&a[][v]=2&a[][k]=3&a[][v]=4`, `{"a":[{"k":"1","v":"2"},{"k":"3","v":"4"}]}`},
		{`a[][k]=1&a[][k]=2&a[][v]=3`, `{"a":[{"k":"1"},{"k":"2","v":"3"}]}`},
		{`a[][k][x]=1&a[][k][y]=2&a[][k][x]=3`, `{"a":[{"k":{"x":"1","y":"2"}},{"k":{"x":"3"}}]}`},
		{`a[][k][]=1&a[][k][]=2`, `{"a":[{"k":["1","2"]}]}`},
		{`a[0][k]=1&a[1][k]=2`, `{"a":{"0":{"k":"1"},"1":{"k":"2"}}}`},
		{`[x]=1&a[b=2&a]=3&a[b]c=4&a[[b]]=5`, `{"[x]":"1","a[[b]]":"5","a[b":"2","a[b]c":"4","a]":"3"}`},
		{`a=1&a[b]=2`, `a is invalid`},
		{`a[]=1&a[b]=2`, `a is invalid`},
		{`a=%zz`, `invalid encoding of a parameter`},
		{`a=%00`, `invalid encoding of a parameter`},
		{`%ff=1`, `invalid encoding of a parameter`},
		{`a` + strings.Repeat("[b]", maxDepth) + `=1`, `parameters are nested too deeply`},
		{strings.Repeat("a[]=&", maxNodes+1), `too many parameters`},
	}
	for _, tt := range tests {
		got, err := parseForm(tt.form)
		if err != nil {
			require.ErrorContains(t, err, tt.want, tt.form)
			continue
		}
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, tt.want, string(text), tt.form)
	}
}

func TestParseJSON(t *testing.T) {
	t.Parallel()
	const mismatch, deep, encoding = "does not match declared format", "nested too deeply", "invalid encoding"
	tests := []struct{ body, want string }{
		{" \n", `{}`},
		{`{"a": 12345678901234567890, "b": [1.50, null, true]}`, `{"a":12345678901234567890,"b":[1.50,null,true]}`},
		{`{"a": "}\"[,\\"}`, `{"a":"}\"[,\\"}`},
		{`{"a": "\\u0000"}`, `{"a":"\\u0000"}`},
		{`[]`, mismatch},
		{`null`, `{}`},
		{`null 1`, mismatch},
		{`{} {}`, mismatch},
		{`{"a": `, mismatch},
		{`{"a": "\u0000"}`, encoding},
		{`{"a": "\ud83c\udf75 \u00E9 \\ud800"}`, `{"a":"🍵 é \\ud800"}`},
		{`{"a": "\ud800"}`, encoding},
		{`{"a": "\uD800\n"}`, encoding},
		{`{"a": "\ud800\ud800"}`, encoding},
		{`{"a": "\udc00\ud800"}`, encoding},
		{`{"\udfff": 1}`, encoding},
		{`{"a": "\ud83c\u`, encoding},
		{`{"a": "\u12`, mismatch},
		{"{\"a\": \"\xff\"}", encoding},
		{`{"a":` + strings.Repeat("[", maxDepth), deep},
		{`{"a":[` + strings.Repeat("1,", maxNodes) + `1]}`, "too many"},
	}
	for _, tt := range tests {
		got, err := parseJSON([]byte(tt.body))
		if err != nil {
			require.ErrorContains(t, err, tt.want, tt.body)
			continue
		}
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, tt.want, string(text), tt.body)
	}
}

// depth is how many objects and lists are around the deepest value.
func depth(node any) (deepest int) {
	switch n := node.(type) {
	case tree:
		for _, child := range n {
			deepest = max(deepest, depth(child))
		}
		return deepest + 1
	case []any:
		for _, child := range n {
			deepest = max(deepest, depth(child))
		}
		return deepest + 1
	}
	return 0
}

// texts calls f on every key and text.
func texts(node any, f func(string)) {
	switch n := node.(type) {
	case tree:
		for key, child := range n {
			f(key)
			texts(child, f)
		}
	case []any:
		for _, child := range n {
			texts(child, f)
		}
	case string:
		f(n)
	}
}

// wellKept checks that a parsed tree can be stored and is not too deep.
func wellKept(t *testing.T, node tree) {
	require.LessOrEqual(t, depth(node), maxDepth)
	texts(node, func(s string) { require.True(t, isStorable(s), "%q", s) })
}

func FuzzParseForm(f *testing.F) {
	for _, seed := range []string{"a=1&b[]=2", "a[][x]=1&a[][x]=2", "a[b][c]=%41", "a[=1&]=2", "a[][]=1",
		"a[][][x]=1&a[][][x]=2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, form string) {
		if got, err := parseForm(form); err == nil {
			wellKept(t, got)
		}
	})
}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":"c"}]}`, `{"\u0000":1}`, `{"a":"\\"}`, `{"a":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if got, err := parseJSON(body); err == nil {
			wellKept(t, got)
		}
	})
}

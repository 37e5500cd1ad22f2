package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// FuzzEncode holds the canonical text to what digests need of it: equal values
// have one text, different values of one type have two, and the text reads back
// as the value.
func FuzzEncode(f *testing.F) {
	for _, pair := range [][2]string{
		{`{"a": 1, "b": [true, null]}`, `{"b": [true, null], "a": 1.0}`}, {`"a"`, `"a\u0000"`}, {`"é"`, `"e\u0301"`},
		{`0.1`, `1e-1`},
		{`[]`, `{}`}, {`"1"`, `1`}, {`{"a": ""}`, `{"a": null}`}, {`1e400`, `1e401`}, {`"<&>"`, `"\u003c&>"`},
		{`-0`, `0`},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, x, y string) {
		a, ok := decoded(x)
		b, ok2 := decoded(y)
		if !ok || !ok2 {
			return
		}
		text := Encode(a)
		back, ok := decoded(text)
		require.True(t, ok, text)
		require.Equal(t, text, Encode(back))
		if a.Type().Equals(b.Type()) {
			require.Equal(t, a.RawEquals(b), text == Encode(b), "%#v and %#v", a, b)
		}
	})
}

func decoded(text string) (v cty.Value, ok bool) {
	typ, err := ctyjson.ImpliedType([]byte(text))
	if err != nil {
		return v, false
	}
	v, err = ctyjson.Unmarshal([]byte(text), typ)
	return v, err == nil
}

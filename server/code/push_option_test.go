package code_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
)

func TestParsePushOptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		list []string
		want string
	}{
		{nil, `{}`},
		{[]string{"ci.skip"}, `{"ci":{"skip":true}}`},
		{[]string{"ci.skip=", " ci . skip = no "}, `{"ci":{"skip":"no"}}`},
		{[]string{"ci.variable=A=1", "ci.variable=A=1", "ci.variable=B.c"}, `{"ci":{"variable":{"A=1":2,"B.c":1}}}`},
		{[]string{"mr.create", "merge_request.title=a = b", "mr.label=x"},
			`{"merge_request":{"create":true,"title":"a = b","label":{"x":1}}}`},
		{[]string{"mr.label"}, `{"merge_request":{"label":{"true":1}}}`},
		{[]string{"mr.title=a\x00b\xff"}, `{"merge_request":{"title":"ab\ufffd"}}`},
		{[]string{"a=b", "ci.unknown", "x.skip", "ci", "", ".", "="}, `{}`},
	} {
		text, err := json.Marshal(code.ParsePushOptions(tt.list))
		require.NoError(t, err)
		require.JSONEq(t, tt.want, string(text))
	}
}

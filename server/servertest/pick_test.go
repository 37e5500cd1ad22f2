package servertest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPick(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body   string
		fields []string
		want   string
		err    string
	}{
		"object":        {`{"a":1,"b":{"c":[2]},"d":null}`, []string{"d", "b"}, `{"d":null,"b":{"c":[2]}}`, ""},
		"list":          {` [{"a":1,"b":2},{"b":3,"a":4}] `, []string{"b"}, `[{"b":2},{"b":3}]`, ""},
		"empty list":    {`[]`, []string{"b"}, `[]`, ""},
		"missing":       {`{"a":1}`, []string{"b"}, "", `no field "b"`},
		"missing below": {`[{"b":1},{}]`, []string{"b"}, "", "element 1"},
		"no object":     {`7`, []string{"b"}, "", "unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := pick([]byte(tt.body), tt.fields)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got))
		})
	}
}

package client

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzElements compares elements with encoding/json: they accept the same texts, and split them
// alike.
func FuzzElements(f *testing.F) {
	for _, text := range []string{
		``, `[`, `[]`, `[ ]`, `[1,]`, `[,1]`, `[1 2]`, `[1],`, ` [{}, {"a": [1, {}]}] `, `{"a":1}`, `null`, `"[]"`,
		`[{"a"}]`, `[{"a":}]`, `[{"a":1,}]`, `[{1:2}]`, `[{"a":1 "b":2}]`, `[{"a" : null , "b":[ ]}]`, `[{a:1}]`,
		`["\u00e9\n\"\\"]`, `["\u00g0"]`, `["\x"]`, `["\u12`, `["` + "\n" + `"]`, `["` + "\xff" + `"]`, `["a`, `["\`,
		`[0, -0, 10, 1.5, -1.5e+10, 2E-3]`, `[01]`, `[-]`, `[+1]`, `[.5]`, `[1.]`, `[1e]`, `[1e+]`, `[0x1]`, `[1a]`,
		`[true, false, null]`, `[tru]`, `[nul`, `[True]`, `[truefalse]`, "\v[]", "[\v]", "\ufeff[]", `[]]`, `[[]`, `[}`,
		strings.Repeat("[", deepestJSON) + strings.Repeat("]", deepestJSON),
		strings.Repeat("[", deepestJSON+1) + strings.Repeat("]", deepestJSON+1),
		strings.Repeat(`[{"a":`, deepestJSON/2) + "1" + strings.Repeat("}]", deepestJSON/2),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, ok := elements(text)
		bare := bytes.TrimSpace(text)
		require.Equal(t, bytes.HasPrefix(bare, []byte("[")) && json.Valid(bare), ok, "%q", text)
		if !ok {
			return
		}
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(bare, &want))
		require.Len(t, rows, len(want))
		for i := range rows {
			require.Equal(t, string(want[i]), string(rows[i]))
		}
	})
}

// BenchmarkElements splits a page of a hundred projects.
func BenchmarkElements(b *testing.B) {
	row := `{"id": 1, "path": "service", "description": "Service 1 of team 2", "topics": ["a", "b"],` +
		strings.Repeat(`"some_access_level": "enabled", "count": 17, `, 60) + `"namespace": {"id": 3}}`
	page := []byte("[" + strings.Repeat(row+",", 99) + row + "]")
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if rows, ok := elements(page); !ok || len(rows) != 100 {
			b.Fatal("not split")
		}
	}
}

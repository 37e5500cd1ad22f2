package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
)

// TestCanonical: a document that was decoded and encoded again, in another order and with other
// escapes, has the same canonical form.
func TestCanonical(t *testing.T) {
	t.Parallel()
	documents := map[string][]byte{
		"empty":   []byte(`{"a": {}, "b": [], "c": [{}, [[]]], "checksum": {"checksum": 1}}`),
		"numbers": []byte(`{"z": -1.50e+3, "a": [0, 12345678901234567890], "n": null, "t": [true, false]}`),
		"texts": []byte("{\"\\u00e9\\n<\": \"\\\\\\\"}],{\", \"e\": \"é\u2028\", \"\": \"\\ud83c\\udf89\", \"a\": " +
			"\"a\", \"a!\": \"a\"}"),
		"alone":  []byte(` "a" `),
		"number": []byte(`7`),
	}
	for name, p := range reporttest.Plans {
		documents[name] = []byte(reported(t, "json", p))
	}
	for name, document := range documents {
		var v any
		read := json.NewDecoder(bytes.NewReader(document))
		read.UseNumber()
		require.NoError(t, read.Decode(&v), name)
		anew, err := json.MarshalIndent(v, "\t", " ")
		require.NoError(t, err)
		want, err := canonical(anew, "checksum")
		require.NoError(t, err)
		got, err := canonical(document, "checksum")
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name)
		require.True(t, json.Valid(got), "%s: %s", name, got)
		if all, ok := v.(map[string]any); ok {
			delete(all, "checksum")
			v = all
		}
		text, err := json.Marshal(v)
		require.NoError(t, err)
		require.JSONEq(t, string(text), string(got), name)
	}
	for _, broken := range []string{``, `{`, `{"a":}`, `[1,]`, `{"a":1}}`} {
		_, err := canonical([]byte(broken), "")
		require.Error(t, err, broken)
	}
}

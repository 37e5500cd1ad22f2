package errortracking_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/errortracking"
)

// What SDKs send, and what is no envelope.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	const head = `{"event_id":"9EC79C33EC9942AB8353589FCB2E04DC","dsn":"https://key@host/7"}` + "\n"
	const (
		badHeader = "the header of the envelope must be a JSON object in its first line"
		badLength = "the length of an item must be a number of bytes"
	)
	long := strings.Repeat("x", errortracking.MaxEvent+1)
	for _, tt := range []struct {
		name, text string
		events     []string
		wrong      string
	}{
		{"nothing", head, nil, ""},
		{"without an end", strings.TrimSpace(head), nil, ""},
		{"one event", head + `{"type":"event","length":2}` + "\n{}\n", []string{"{}"}, ""},
		{"no length", head + `{"type":"event"}` + "\n{\"a\":1}", []string{`{"a":1}`}, ""},
		{"null length", head + `{"type":"event","length":null}` + "\n{}\n\n", []string{"{}"}, ""},
		{"others", head + `{"type":"attachment","length":5,"filename":"a"}` + "\na\nb\nc\n" +
			`{"type":"session"}` + "\n{}\n" + `{"type":"event","length":2}` + "\n{}\n" +
			`{"type":"client_report"}` + "\n{}", []string{"{}"}, ""},
		{"large attachment", head + `{"type":"attachment"}` + "\n" + long, nil, ""},
		{"unknown type", head + `{"type":7}` + "\nx", nil, ""},
		{"no header", "", nil, badHeader},
		{"odd header", "[]\n", nil, badHeader},
		{"long header", `{"a":"` + long, nil, "at most 65536 bytes"},
		{"odd item", head + "x\n{}\n", nil, "header of an item must be a JSON object"},
		{"negative length", head + `{"type":"event","length":-1}` + "\n", nil, badLength},
		{"odd length", head + `{"type":"event","length":"2"}` + "\n{}", nil, badLength},
		{"huge length", head + `{"type":"event","length":99999999999999999999}` + "\n{}", nil,
			badLength},
		{"large event", head + `{"type":"event","length":1048577}` + "\n{}", nil, "at most 1 MiB"},
		{"long event", head + `{"type":"event"}` + "\n" + long, nil, "at most 1 MiB"},
		{"short event", head + `{"type":"event","length":9}` + "\n{}", nil, "the envelope ends within an item"},
		{"short attachment", head + `{"type":"attachment","length":9}` + "\n{}", nil, "the envelope ends within an item"},
		{"empty lines", head + strings.Repeat(`{"type":"x","length":2}`+"\n{}\n\n", 200), nil, ""},
		{"many items", head + strings.Repeat(`{"type":"x"}`+"\n{}\n", 201), nil, "at most 200 items"},
		{"many events", head + strings.Repeat(`{"type":"event"}`+"\n{}\n", 11), nil, "at most 10 events"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var events [][]byte
			e, err := errortracking.OpenEnvelope(strings.NewReader(tt.text))
			if err == nil {
				require.Equal(t, "9ec79c33ec9942ab8353589fcb2e04dc", e.EventID)
				require.Equal(t, "key", e.Key)
				events, err = e.Events()
			}
			if tt.wrong != "" {
				require.ErrorContains(t, err, tt.wrong)
				return
			}
			require.NoError(t, err)
			var got []string
			for _, event := range events {
				got = append(got, string(event))
			}
			require.Equal(t, tt.events, got)
		})
	}
}

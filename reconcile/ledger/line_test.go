package ledger

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
)

// sample is a ledger file: two compact entries, then a journal that sets, removes and rebinds.
const sample = `{"hew_ledger":1,"serial":4,"host":"https://a.example","lineage":"L","key":"F","entries":2}
{"addr":"group.acme","entry":{"kind":"group","collection":"groups","key":"acme","id":"7","created":true,"owned":{"visibility":"p:x"}}}
{"addr":"group_members.acme#\"bob\"","entry":{"kind":"group_member","collection":"groups/7/members","id":"12","needs":["group.acme"]}}
{"serial":5,"addr":"project.api","entry":{"kind":"project","pending":true}}
{"serial":6,"addr":"project.api","removed":true}
{"hew_ledger":1,"serial":7,"host":"https://b.example","lineage":"L"}
`

func TestParse(t *testing.T) {
	l, whole, err := parse("test", []byte(sample))
	require.NoError(t, err)
	require.Equal(t, len(sample), whole)
	bob := at(t, "group_members.acme")
	bob.Elem = "bob"
	require.Equal(t,
		&Ledger{
			Header: Header{Format: 1, Host: "https://b.example", Lineage: "L", Serial: 7},
			Entries: map[addr.Instance]Entry{
				at(t, "group.acme"): {
					Kind:       "group",
					Collection: "groups",
					Key:        "acme",
					ID:         "7",
					Created:    true,
					Owned:      map[string]Digest{"visibility": "p:x"},
				},
				bob: {
					Kind:       "group_member",
					Collection: "groups/7/members",
					ID:         "12",
					DependsOn:  []addr.Instance{at(t, "group.acme")},
				},
			},
		},
		l,
	)

	text, err := l.encode()
	require.NoError(t, err)
	lines := strings.SplitAfter(sample, "\n")
	require.Equal(t,
		`{"hew_ledger":1,"serial":7,"host":"https://b.example","lineage":"L","entries":2}`+"\n"+lines[1]+lines[2],
		string(text),
	)
}

func TestParseNamesTheDamage(t *testing.T) {
	lines := strings.SplitAfter(sample, "\n")
	without := func(i int) string { return strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "") }
	replaced := func(i int, text string) string {
		return strings.Join(lines[:i], "") + text + "\n" + strings.Join(lines[i+1:], "")
	}
	for _, tt := range []struct{ name, text, want string }{
		{"another file", "{\n}\n", "line 1: not a ledger line"},
		{"another file in one line", "notes", "line 1: not a ledger line"},
		{"another JSON file", "{}\n", "line 1: not the header of a ledger"},
		{"header lost", without(0), "line 1: not the header of a ledger"},
		{"newer", `{"hew_ledger":2,"lineage":"L"}` + "\n", "format 2"},
		{"entry lost", without(1), "line 3: entries are missing before this line: 1"},
		{"entry doubled", replaced(2, strings.TrimSpace(lines[1])), "line 3: group.acme is recorded twice"},
		{"cut in the compact part", lines[0] + lines[1], "line 3: entries are missing at the end: 1"},
		{"torn in the compact part", lines[0] + lines[1] + lines[2][:20], "line 3: entries are missing at the end: 1"},
		{"change lost", without(3), "line 4: the serial is 6 instead of 5"},
		{"change doubled", replaced(4, strings.TrimSpace(lines[3])), "line 5: the serial is 5 instead of 6"},
		{"merge conflict", replaced(3, "<<<<<<< HEAD"), "line 4: not a ledger line"},
		{"line break lost", strings.Replace(sample, "}\n{\"serial\":6", "}{\"serial\":6", 1),
			"line 4: a line break is missing"},
		{"last line cut, break kept", sample[:len(sample)-10] + "\n", "line 6: not a ledger line"},
		{"unknown field", replaced(4, `{"serial":6,"addr":"project.api","gone":true}`),
			`line 5: not a ledger line (json: unknown field "gone")`},
		{"bad address", replaced(4, `{"serial":6,"addr":"project","removed":true}`), "line 5: not a ledger line"},
		{"no address", replaced(4, `{"serial":6,"removed":true}`), "line 5: the line neither sets nor removes"},
		{"nothing said", replaced(4, `{"serial":6,"addr":"project.api"}`), "line 5: the line neither sets nor removes"},
		{"another lineage", replaced(5, `{"hew_ledger":1,"serial":7,"lineage":"M"}`),
			"line 6: the header belongs to another ledger"},
		{"last line of a later version, break lost", sample + `{"serial":8,"more":1}`, "line 7: not a ledger line"},
		{"last line not JSON", sample + "}", "line 7: not a ledger line"},
		{"empty line", replaced(4, ""), "line 5: not a ledger line"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := parse("x.json", []byte(tt.text))
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, "x.json")
		})
	}
}

// TestParseTornAnywhere cuts the journal at every byte: the whole lines are kept.
func TestParseTornAnywhere(t *testing.T) {
	compact := len(strings.Join(strings.SplitAfterN(sample, "\n", 4)[:3], ""))
	for end := compact; end <= len(sample); end++ {
		l, whole, err := parse("test", []byte(sample[:end]))
		require.NoError(t, err, end)
		lines := strings.Count(sample[:end], "\n")
		if end < len(sample) && sample[end] == '\n' {
			lines++ // only the line break is missing
		}
		require.Equal(t, uint64(4+lines-3), l.Serial, end)
		require.Equal(t, whole == end, end == len(sample) || sample[end] == '\n' || sample[end-1] == '\n', end)
	}
	for end := range strings.Index(sample, "}\n") {
		l, whole, err := parse("test", []byte(sample[:end]))
		require.NoError(t, err)
		require.Nil(t, l)
		require.Zero(t, whole)
	}
}

// FuzzParse appends anything to a good ledger. Either all of it counts, or the rest of one line is
// dropped, or it is an error. The good ledger is never lost, and parse never panics.
func FuzzParse(f *testing.F) {
	next := `{"serial":8,"addr":"project.web","entry":{"kind":"project","id":"9"}}` + "\n"
	for _, tail := range []string{"", next, next[:30], strings.TrimSpace(next), next + next, "\x00\x00", "}", "null",
		"[]\n", `{"serial":8}`} {
		f.Add([]byte(sample), []byte(tail))
		f.Add([]byte(""), []byte(tail))
	}
	f.Fuzz(func(t *testing.T, head, tail []byte) {
		before, whole, err := parse("test", head)
		if err != nil || before == nil || whole < len(head) || !bytes.HasSuffix(head, []byte("\n")) {
			head, before = []byte(sample), mustParse(t, sample)
		}
		after, whole, err := parse("test", append(bytes.Clone(head), tail...))
		if err != nil {
			return
		}
		if whole < len(head) || bytes.Contains(tail[whole-len(head):], []byte("\n")) {
			t.Fatalf("lines were left out: %q", tail)
		}
		want := before.Serial + uint64(bytes.Count(tail[:whole-len(head)], []byte("\n")))
		if whole > len(head) && tail[whole-len(head)-1] != '\n' {
			want++
		}
		if after.Serial != want {
			t.Fatalf("serial %d, want %d after %q", after.Serial, want, tail)
		}
		text, err := after.encode()
		if err != nil {
			t.Fatal(err)
		}
		if again := mustParse(t, string(text)); !bytes.Equal(mustPrint(t, again), text) {
			t.Fatalf("not the same after compaction: %s", text)
		}
	})
}

func mustParse(t testing.TB, text string) *Ledger {
	t.Helper()
	l, _, err := parse("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func mustPrint(t testing.TB, l *Ledger) []byte {
	t.Helper()
	text, err := l.encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// large returns a ledger of n memberships with five owned attributes each.
func large(n int) *Ledger {
	l := newLedger()
	for i := range n {
		a := addr.Instance{
			Block: addr.Block{Kind: "group_members", Name: fmt.Sprintf("team_%d", i%10)},
			Elem:  fmt.Sprintf("user%05d", i),
		}
		owned := map[string]Digest{}
		for _, name := range []string{"access_level", "expires_at", "member_role_id", "group", "user"} {
			owned[name] = NewDigester("l", nil).Plain(fmt.Sprint(name, i))
		}
		l.Entries[a] = Entry{
			Kind:       "group_member",
			Collection: fmt.Sprintf("groups/%d/members", i%10),
			Key:        a.Elem,
			ID:         fmt.Sprint(1000 + i),
			Created:    true,
			Owned:      owned,
			DependsOn:  []addr.Instance{{Block: addr.Block{Kind: "group", Name: fmt.Sprintf("team_%d", i%10)}}},
		}
	}
	return l
}

package archive_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/transfer/archive"
)

// TestOldForms reads what earlier versions write in other types.
func TestOldForms(t *testing.T) {
	t.Parallel()
	decode := func(text string, into any) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(text), into))
	}
	var e archive.Event
	decode(`{"action":1}`, &e)
	require.Equal(t, archive.Word("1"), e.Action)
	decode(`{"action":"created"}`, &e)
	require.Equal(t, archive.Word("created"), e.Action)
	decode(`{"action":null}`, &e)
	require.Error(t, json.Unmarshal([]byte(`{"action":{}}`), &e))

	var d archive.Diff
	decode(`{"real_size":"9","merge_request_diff_commits":[{"sha":"ab","author_name":"A"}]}`, &d)
	require.Equal(t, archive.Word("9"), *d.RealSize)
	require.Equal(t, "A", *d.Commits[0].AuthorName)

	for _, text := range []string{`{"new_line":3,"head_sha":"ab"}`, `"{\"new_line\":3,\"head_sha\":\"ab\"}"`} {
		p, err := archive.DecodePosition(json.RawMessage(text))
		require.NoError(t, err)
		require.Equal(t, 3, *p.NewLine)
	}
	for _, text := range []string{``, `null`, `""`} {
		p, err := archive.DecodePosition(json.RawMessage(text))
		require.NoError(t, err)
		require.Nil(t, p)
	}
	_, err := archive.DecodePosition(json.RawMessage(`[]`))
	require.Error(t, err)

	var f archive.ProjectFeature
	decode(`{"id":3,"wiki_access_level":10,"created_at":"2020-01-01","odd_access_level":"x"}`, &f)
	require.Equal(t, map[string]int{"wiki_access_level": 10}, f.Levels)
}

// TestRelations has every document written and read without a change.
func TestRelations(t *testing.T) {
	t.Parallel()
	for _, r := range archive.Relations {
		found, ok := archive.FindRelation(r.Name)
		require.True(t, ok)
		require.Equal(t, r.Name, found.Name)
		first, err := json.Marshal(r.New())
		require.NoError(t, err, r.Name)
		again := r.New()
		require.NoError(t, json.Unmarshal(first, again), r.Name)
		second, err := json.Marshal(again)
		require.NoError(t, err)
		require.JSONEq(t, string(first), string(second), r.Name)
	}
	_, ok := archive.FindRelation("triggers")
	require.False(t, ok)
}

// FuzzReader has no input panic, write outside of its directory, or give an error of this host.
func FuzzReader(f *testing.F) {
	f.Add(pack(f, file("./VERSION", "0.2.4"), file("./tree/project.json", `{"description":"x"}`),
		file("./tree/project/issues.ndjson", "{\"iid\":1}\nnull\n{"), file("uploads/"+secret+"/a", "b")))
	f.Add(pack(f, file("../x", "")))
	zip, err := gzip.NewReader(bytes.NewReader(pack(f, file("VERSION", "0.2.4"), file("a/b", "c"))))
	require.NoError(f, err)
	plain, err := io.ReadAll(zip)
	require.NoError(f, err)
	f.Add(plain)
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.HasPrefix(data, []byte("\x1f\x8b")) { // a tar alone: checksums of gzip stop what is random
			var packed bytes.Buffer
			zip := gzip.NewWriter(&packed)
			_, _ = zip.Write(data)
			_ = zip.Close()
			data = packed.Bytes()
		}
		dir := t.TempDir()
		var format archive.FormatError
		err := archive.Unpack(t.Context(), bytes.NewReader(data), dir, archive.Limits{Size: 1 << 20, Entries: 100})
		if err != nil {
			require.ErrorAs(t, err, &format)
			return
		}
		a, err := archive.Open(dir)
		if err != nil {
			require.ErrorAs(t, err, &format)
			return
		}
		if _, err := a.Project(); err != nil {
			require.ErrorAs(t, err, &format)
		}
		_, unknown, err := a.Found()
		require.NoError(t, err)
		for _, name := range unknown {
			for _, err := range a.Lines(name) {
				require.NoError(t, err)
			}
		}
		for _, r := range archive.Relations {
			for line, err := range a.Lines(r.Name) {
				require.NoError(t, err)
				_ = json.Unmarshal(line.Data, r.New())
			}
		}
		for _, err := range a.Uploads() {
			require.NoError(t, err)
		}
	})
}

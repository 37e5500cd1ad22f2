package ledger

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
)

// TestSecretsInStoredKeysAreRemoved: the ledger of an earlier version has the secrets of URLs in
// its keys. They are not read, and storing the entry again removes them.
func TestSecretsInStoredKeysAreRemoved(t *testing.T) {
	t.Parallel()
	const clear = "https://bot:pa55@ci.example/hook?token=hunter2&job=build"
	hook := at(t, "project_hook.ci")
	entry := Entry{Kind: "project_hook", Collection: "projects/7/hooks", Key: clear, ID: "5"}
	head := Header{Format: Format, Serial: 1, Host: "https://git.example", Lineage: "lineage"}

	path := filepath.Join(t.TempDir(), "hew.ledger")
	old := &Ledger{Header: head, Entries: map[addr.Instance]Entry{hook: entry}}
	text, err := old.encode()
	require.NoError(t, err)
	require.Contains(t, string(text), "hunter2")
	require.NoError(t, os.WriteFile(path, text, 0o600))

	b := File(path, testKey)
	l, err := b.Load(t.Context())
	require.NoError(t, err)
	read := l.Entries[hook]
	require.Equal(t, "https://…@ci.example/hook?token=…&job=build", read.Key)
	require.True(t, read.Outspoken())
	require.NoError(t, b.Compact(t.Context()))
	stored, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(stored), "hunter2")
	l, err = b.Load(t.Context())
	require.NoError(t, err)
	require.False(t, l.Entries[hook].Outspoken(), "it is stored without them by now")

	raw, err := rawEntries{}.apply([]line{{Addr: hook, Entry: &entry}}, true)
	require.NoError(t, err)
	document, err := raw.encodeDocument(head)
	require.NoError(t, err)
	l, raw, err = parseDocument("there", document)
	require.NoError(t, err)
	read = l.Entries[hook]
	require.Equal(t, "https://…@ci.example/hook?token=…&job=build", read.Key)
	require.True(t, read.Outspoken())
	d := l.Set(hook, read)
	raw, err = raw.apply([]line{{Addr: d.Addr, Entry: d.Entry}}, false)
	require.NoError(t, err)
	document, err = raw.encodeDocument(head)
	require.NoError(t, err)
	require.NotContains(t, string(document), "hunter2")
}

package pull_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/provider/client"
	"hew/reconcile/config"
	"hew/reconcile/golden"
	"hew/reconcile/pull"
)

// hunter2 is the secret in the cases, which no output may contain.
const hunter2 = "hunter2"

// TestPull pulls a host for each case. The comment of the case is the subject, with -kinds and
// -without. live.json has the responses of the host by path. The summary ("said") and the files are
// golden: formatted, valid and without secrets. The host is asked at most once for each path, but
// where noted.
func TestPull(t *testing.T) {
	t.Parallel()
	golden.Cases(t, "testdata", func(t *testing.T, archive *txtar.Archive) []txtar.File {
		live := archive.Files[0]
		return append([]txtar.File{live}, pulled(t, strings.Fields(string(archive.Comment)), live.Data)...)
	})
}

// TestLongPaths pulls groups whose paths are longer than the name of a file may be.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("l", 255)
	host, _ := serve(t,
		fmt.Appendf(
			nil,
			`{
		"groups/top": {"id": 1, "path": "top", "full_path": "top"},
		"groups/1": {"id": 1, "path": "top", "full_path": "top"},
		"groups/1/descendant_groups": [
			{"id": 2, "path": %[1]q, "full_path": "top/%[1]s", "parent_id": 1},
			{"id": 3, "path": "x", "full_path": "top/%[1]s/x", "parent_id": 2}]}`,
			long,
		),
	)
	s, _, err := run(t.Context(), host, []string{"group/top", "-kinds=group"})
	require.NoError(t, err)
	require.Len(t, s.Files, 3)
	for _, name := range s.Files {
		require.LessOrEqual(t, len(name), 255)
	}
}

// pulled returns the files that a pull writes, and its summary.
func pulled(t *testing.T, args []string, live []byte) []txtar.File {
	host, asked := serve(t, live)
	s, files, err := run(t.Context(), host, args)
	if err != nil {
		return []txtar.File{{Name: "said", Data: []byte(err.Error() + "\n")}}
	}
	for path, times := range asked() {
		most := 1
		owner, _, members := strings.Cut(path, "/members?")
		switch {
		case strings.Count(path, "/") == 1:
			// The shares of a group are read from the same path as its details. A container is also
			// read when a list in it answers 404.
			most = 2
		case members && bytes.Contains(live, []byte(`"`+owner+`/invitations": 403`)): // then without invitations
			most = 2
		}
		require.LessOrEqual(t, times, most, path)
	}
	out := []txtar.File{{Name: "said", Data: said(s)}}
	for _, name := range s.Files {
		formatted, diags := config.Format(files[name], name)
		require.False(t, diags.HasErrors(), "%s: %s\n%s", name, diags, files[name])
		require.Equal(t, string(formatted), string(files[name]), "hew fmt leaves it as it is")
		out = append(out, txtar.File{Name: name, Data: files[name]})
	}
	for _, f := range out {
		require.NotContains(t, string(f.Data), hunter2)
	}
	evaluated(t, files)
	return out
}

// run pulls into memory.
func run(ctx context.Context, host pull.Host, args []string) (*pull.Summary, map[string][]byte, error) {
	subject, err := pull.ParseSubject(host.Kinds(), args[0])
	if err != nil {
		return nil, nil, err
	}
	var flags [2][]string
	for i, name := range []string{"-kinds=", "-without="} {
		for _, arg := range args[1:] {
			if list, is := strings.CutPrefix(arg, name); is {
				flags[i] = strings.Split(list, ",")
			}
		}
	}
	kinds, err := pull.Choose(host.Kinds(), flags[0], flags[1])
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	s, err := pull.Pull(
		ctx,
		host,
		subject,
		pull.Options{Kinds: kinds, Create: func(name string) (io.WriteCloser, error) {
			if files[name] != nil {
				return nil, fmt.Errorf("%s is made twice", name)
			}
			files[name] = []byte{}
			return &memory{files, name}, nil
		}},
	)
	return s, files, err
}

// memory is a file in memory.
type memory struct {
	files map[string][]byte
	name  string
}

func (m *memory) Write(text []byte) (int, error) {
	m.files[m.name] = append(m.files[m.name], text...)
	return len(text), nil
}

func (m *memory) Close() error { return nil }

// said prints the summary.
func said(s *pull.Summary) []byte {
	var b strings.Builder
	for _, kind := range slices.Sorted(keysOf(s.Blocks)) {
		fmt.Fprintf(&b, "%d %s\n", s.Blocks[kind], kind)
	}
	fmt.Fprintf(&b, "variables: %d, needed: %v, untold: %d\n", s.Variables, s.RequiredVariables, s.UnknownSecrets)
	for _, part := range []struct {
		title string
		list  []pull.Omission
	}{{"left", s.Omitted}, {"unsupported", s.Unsupported}, {"unread", s.Unread}} {
		for _, o := range part.list {
			fmt.Fprintf(&b, "%s: %s\n", part.title, o)
		}
	}
	return []byte(b.String())
}

func keysOf(m map[string]int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// evaluated evaluates the files as a configuration, which must be valid.
func evaluated(t testing.TB, files map[string][]byte) config.Result {
	dir := fstest.MapFS{"hew.hcl": &fstest.MapFile{}}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: text}
	}
	cfg, diags := config.Load(t.Context(), dir, ".", provider.Kinds(), config.Vars{Partial: true})
	require.False(t, diags.HasErrors(), "%s", diags)
	result, diags := cfg.NewEval().Run(t.Context(), nil)
	require.False(t, diags.HasErrors(), "%s", diags)
	return result
}

// serve answers from a table. A list that is not in it is empty, and one whose value is a number
// fails with that status.
func serve(t *testing.T, live []byte) (host pull.Host, asked func() map[string]int) {
	var answers map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(live, &answers))
	var mu sync.Mutex
	times := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.EscapedPath(), "/api/v4/")
		if len(answers[path]) != 3 {
			mu.Lock()
			times[path+"?"+r.URL.RawQuery]++
			mu.Unlock()
		}
		w.Header().Set("Content-Type", "application/json")
		switch answer := answers[path]; {
		case answer == nil && (strings.HasSuffix(path, "push_rule") || strings.HasSuffix(path, "settings")):
			_, _ = io.WriteString(w, "null")
		case answer == nil:
			_, _ = io.WriteString(w, "[]")
		case len(answer) == 3:
			http.Error(w, `{"message":"no"}`, map[string]int{"403": 403, "404": 404, "500": 400}[string(answer)])
		default:
			_, _ = w.Write(answer)
		}
	}))
	t.Cleanup(server.Close)
	c, err := client.New(client.Config{BaseURL: server.URL, Token: "t", ReadOnly: true})
	require.NoError(t, err)
	of, err := provider.New(c)
	require.NoError(t, err)
	return of, func() map[string]int { return times }
}

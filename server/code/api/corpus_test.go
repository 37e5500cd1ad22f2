package api_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/servertest"
)

var (
	corpusFiles = flag.Int("corpus-files", 2000, "how many files the largest tree of TestCorpus has")
	corpusRefs  = flag.Int("corpus-refs", 500, "how many refs the largest repository of TestCorpus has")
)

const (
	idLine = " A <a@example.com> 1700000000 +0000\n"
	empty  = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
)

// commitOf writes a commit of a tree and makes a branch of it.
func commitOf(r gittest.Repo, tree object.ID) {
	commit := r.Write(object.KindCommit, fmt.Sprintf("tree %s\nauthor%scommitter%s\nx\n", tree, idLine, idLine))
	r.Git("", "update-ref", "refs/heads/main", commit.String())
}

// packRefs makes refs to main, in the one file that holds many: one file each takes long.
func packRefs(r gittest.Repo, names ...string) {
	tip := r.Lines("rev-parse", "main")[0]
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintln(&b, tip, name)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "packed-refs"), []byte(b.String()), 0o600); err != nil {
		panic(err) // the directory of the test is gone
	}
}

// treeWith makes a branch whose tree has one entry with any mode and name.
func treeWith(mode, name string) func(gittest.Repo) {
	return func(r gittest.Repo) {
		id := r.Write(object.KindBlob, "content of "+name)
		if mode == "40000" || mode == "040000" {
			id = r.Write(object.KindTree, "100644 f\x00"+string(id[:]))
		}
		commitOf(r, r.Write(object.KindTree, mode+" "+name+"\x00"+string(id[:])))
	}
}

func imported(script string) func(gittest.Repo) {
	return func(r gittest.Repo) { r.Git(script, "fast-import", "--quiet", "--force") }
}

const onMain = "commit refs/heads/main\ncommitter C <c@x> 1700000000 +0000\ndata 1\nx\n"

// corpus are repositories that are special in some way. The server takes them as they are, or says
// why it does not.
var corpus = []struct {
	name    string
	make    func(r gittest.Repo)
	refused string // part of the message that the client gets; "" if the push succeeds
	fsck    string // settings of the check, where git would warn
}{
	{name: "tree without files", make: func(r gittest.Repo) { commitOf(r, object.EmptyTree); r.Git("", "mktree") }},
	{name: "thousands of files", make: func(r gittest.Repo) {
		var b strings.Builder
		b.WriteString("blob\nmark :1\ndata 1\nx\n" + onMain)
		for i := range *corpusFiles {
			fmt.Fprintf(&b, "M 100644 :1 d%d/e%d/f%d\n", i%97, i%11, i)
		}
		r.Git(b.String(), "fast-import", "--quiet")
	}},
	{name: "many refs", make: func(r gittest.Repo) {
		imported(onMain)(r)
		var names []string
		for i := range *corpusRefs {
			names = append(names, fmt.Sprintf("refs/%s/r%d/%d", []string{"heads", "tags"}[i%2], i%100, i))
		}
		packRefs(r, names...)
	}},
	{name: "CRLF and attributes", make: imported(onMain +
		"M 100644 inline .gitattributes\ndata 28\n* text=auto\n*.bin binary\n  \n\nM 100644 inline a.txt\ndata 6\na\r\nb\r\n\n")},
	{name: "symbolic link out of the tree", make: treeWith("120000", "link")},
	{name: "directory of another case", make: imported(onMain +
		"M 100644 inline A/x\ndata 1\n1\nM 100644 inline a/x\ndata 1\n2\n")},
	{name: "deep directories", make: imported(onMain +
		"M 100644 inline " + strings.Repeat("d/", 500) + "f\ndata 1\n1\n")},
	{name: "long message and author", make: imported("commit refs/heads/main\ncommitter " +
		strings.Repeat("N", 100_000) +
		" <c@x> 1700000000 +0000\ndata 3000000\n" + strings.Repeat("message\n\n\n", 300_000) + "\n")},
	{name: "zero-padded mode", make: treeWith("040000", "dir"), fsck: "fsck.zeroPaddedFilemode=ignore"},
	{name: "zone of long ago", make: func(r gittest.Repo) {
		r.Git("", "mktree")
		commit := r.Write(object.KindCommit,
			"tree "+empty+"\nauthor A <a@x> 1 +051800\ncommitter A <a@x> 1 +051800\n\nx\n")
		r.Git("", "update-ref", "refs/heads/main", commit.String())
	}, fsck: "fsck.badTimezone=ignore"},
	{name: "replace ref", make: func(r gittest.Repo) {
		imported(onMain)(r)
		r.Git("", "update-ref", "refs/replace/"+r.Lines("rev-parse", "main")[0], "main")
	}, refused: "You can only push to branches and tags"},
	{name: "hidden ref", make: func(r gittest.Repo) {
		imported(onMain)(r)
		r.Git("", "update-ref", "refs/keep-around/x", "main")
	}, refused: "You can only push to branches and tags"},
	{name: "directories without end", make: func(r gittest.Repo) {
		id := r.Write(object.KindBlob, "bomb")
		mode := "100644"
		for range 12 { // 10^12 paths in 12 objects
			var b strings.Builder
			for i := range 10 {
				fmt.Fprintf(&b, "%s %d\x00%s", mode, i, id[:])
			}
			id, mode = r.Write(object.KindTree, b.String()), "40000"
		}
		commitOf(r, id)
	}, refused: "paths"},
	{name: "directories that are too deep", make: imported(onMain +
		"M 100644 inline " + strings.Repeat("d/", 1500) + "f\ndata 1\n1\n"), refused: "deep"},
	{name: "name of a ref of 2000 bytes", make: func(r gittest.Repo) {
		imported(onMain)(r)
		packRefs(r, "refs/heads"+strings.Repeat("/"+strings.Repeat("n", 199), 10))
	}, refused: "is not a valid name"},
	{name: "dot git", make: treeWith("40000", ".git"), refused: "hasDotgit"},
	{name: "dot git in capitals", make: treeWith("40000", ".GIT"), refused: "hasDotgit"},
	{name: "dot git on NTFS", make: treeWith("100644", "git~1"), refused: "hasDotgit"},
	{name: "dot git with a dot", make: treeWith("100644", ".git."), refused: "hasDotgit"},
	{name: "dot git as a stream", make: treeWith("100644", ".git::$INDEX_ALLOCATION"), refused: "hasDotgit"},
	{name: "dot git on HFS", make: treeWith("40000", ".g\u200cit"), refused: "hasDotgit"},
	{name: "dot git after a backslash", make: treeWith("100644", `a\.git`), refused: "hasDotgit"},
	{name: "two dots", make: treeWith("40000", ".."), refused: "hasDotdot"},
	{name: "one dot", make: treeWith("40000", "."), refused: "hasDot"},
	{name: "path as a name", make: treeWith("100644", "../../etc/passwd"), refused: "fullPathname"},
	{name: "no name", make: treeWith("100644", ""), refused: "empty filename"},
	{name: "link for submodules", make: treeWith("120000", ".gitmodules"), refused: "gitmodulesSymlink"},
	{name: "submodule with an option", make: imported(onMain + "M 100644 inline .gitmodules\ndata <<E\n" +
		"[submodule \"x\"]\n\tpath = x\n\turl = -u./payload\nE\n"), refused: "gitmodulesUrl"},
	{name: "unsorted tree", make: func(r gittest.Repo) {
		id := r.Write(object.KindBlob, "x")
		commitOf(r, r.Write(object.KindTree, "100644 b\x00"+string(id[:])+"100644 a\x00"+string(id[:])))
	}, refused: "treeNotSorted"},
	{name: "same name twice", make: func(r gittest.Repo) {
		id := r.Write(object.KindBlob, "x")
		commitOf(r, r.Write(object.KindTree, "100644 a\x00"+string(id[:])+"100644 a\x00"+string(id[:])))
	}, refused: "duplicateEntries"},
	{name: "author without an address", make: func(r gittest.Repo) {
		r.Git("", "mktree")
		commit := r.Write(object.KindCommit, "tree "+empty+"\nauthor A\ncommitter"+idLine+"\nx\n")
		r.Git("", "update-ref", "refs/heads/main", commit.String())
	}, refused: "missingEmail"},
}

// TestCorpus pushes each repository with the real git, and compares what it is served as with it.
func TestCorpus(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "corpusalice")
	for i, c := range corpus {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			c.make(r)
			checkCorpus(t, s, alice, fmt.Sprint("corpus-", i), r, c.refused, c.fsck)
		})
	}
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("random ", seed), func(t *testing.T) {
			t.Parallel()
			r := gittest.Random(t, seed, 60)
			checkCorpus(t, s, alice, fmt.Sprint("random-", seed), r, "", "")
		})
	}
}

func checkCorpus(
	t *testing.T, s *servertest.Server, user servertest.Persona, path string, r gittest.Repo, refused, fsck string,
) {
	c := &conformance{t: t, host: host{t: t, s: s, user: user}, clone: gittest.New(t)}
	s.Do(t, user.Token, "POST", "/projects", map[string]any{"path": path, "visibility": "private"}).Into(t, &c.project)
	c.remote = c.address(user.Token)
	_, err := r.Try("", "push", "-q", c.remote, "refs/*:refs/*")
	if refused != "" {
		require.ErrorContains(t, err, refused)
		require.Less(t, len(err.Error()), 20_000)
		require.Empty(t, r.Lines("ls-remote", c.remote))
		imported(strings.Replace(onMain, "main", "after", 1))(c.clone) // and is served still
		c.clone.Git("", "push", "-q", c.remote, "after")
		return
	}
	require.NoError(t, err)
	c.clone = r
	dir := t.TempDir()
	out := gittest.ClientIn(t, ".").Git("clone", "-q", "--mirror", c.remote, dir+"/c")
	require.Empty(t, out)
	settings := []string{}
	if fsck != "" {
		settings = []string{"-c", fsck}
	}
	require.Empty(t, gittest.ClientIn(t, dir+"/c").Git(append(settings, "fsck", "--strict", "--no-progress")...))
	require.Equal(t, r.Git("", "show-ref", "--heads", "--tags"), gittest.ClientIn(t, dir+"/c").Git("show-ref", "--heads", "--tags"))

	main := r.Lines("for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", "refs/heads")[0]
	var want, got []string
	for entry := range strings.SplitSeq(r.Git("", "ls-tree", "-r", "-t", "-z", main), "\x00") {
		if about, path, ok := strings.Cut(entry, "\t"); ok {
			want = append(want, about+" "+jsonText(path))
		}
	}
	tree := "tree?recursive=true&pagination=keyset&per_page=100&ref=" + url.QueryEscape(main)
	for _, f := range list[treeAnswer](c, tree) {
		got = append(got, fmt.Sprintf("%s %s %s %s", f.Mode, f.Type, f.ID, f.Path))
	}
	require.Equal(t, len(want), len(got))
	if len(want) > 0 {
		require.Equal(t, want, got)
	}
	var ids []string
	for _, commit := range list[struct{ ID string }](c, "commits?per_page=100&ref_name="+url.QueryEscape(main)) {
		ids = append(ids, commit.ID)
	}
	require.Equal(t, r.Lines("rev-list", main), ids)
}

// packEntry is an object of a pack as it is sent.
type packEntry struct {
	kind byte
	base []byte // of a delta: the id of its base
	body []byte
	size int // that is claimed; 0: of body
}

const refDelta = 7

func encodePack(entries []packEntry) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	out := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(entries)))
	for _, e := range entries {
		size := e.size
		if size == 0 {
			size = len(e.body)
		}
		head := e.kind<<4 | byte(size&15)
		for size >>= 4; size > 0; size >>= 7 {
			out = append(out, head|0x80)
			head = byte(size & 0x7f)
		}
		out = append(append(out, head), e.base...)
		b.Reset()
		z.Reset(&b)
		_, _ = z.Write(e.body)
		_ = z.Close()
		out = append(out, b.Bytes()...)
	}
	sum := sha1.Sum(out)
	return append(out, sum[:]...)
}

// varint appends a size as deltas have it.
func varint(dst []byte, n int) []byte {
	for ; n > 0x7f; n >>= 7 {
		dst = append(dst, byte(n)|0x80)
	}
	return append(dst, byte(n))
}

// Packs that no git would make are refused, and the server goes on.
func TestHostilePacks(t *testing.T) {
	t.Parallel()
	h := newHost(t, "hostilepacks")
	w := h.begin()
	blob := func(text string) object.ID { return object.Hash(object.KindBlob, []byte(text)) }
	commit := func(file object.ID) (tree, commit packEntry, id object.ID) {
		tree = packEntry{kind: 2, body: []byte("100644 f\x00" + string(file[:]))}
		text := fmt.Sprintf("tree %s\nauthor%scommitter%s\nx\n", object.Hash(object.KindTree, tree.body), idLine, idLine)
		return tree, packEntry{kind: 1, body: []byte(text)}, object.Hash(object.KindCommit, []byte(text))
	}
	chain := func() (entries []packEntry, id object.ID) {
		text := "0"
		entries = []packEntry{{kind: 3, body: []byte(text)}}
		for i := 1; i < 5000; i++ {
			base, next := blob(text), fmt.Sprint(i)
			delta := append(varint(varint(nil, len(text)), len(next)), byte(len(next)))
			entries = append(entries, packEntry{kind: refDelta, base: base[:], body: append(delta, next...)})
			text = next
		}
		tree, c, id := commit(blob(text))
		return append(entries, tree, c), id
	}
	bomb := func() (entries []packEntry, id object.ID) {
		base := strings.Repeat("0", 1<<16)
		baseID := blob(base)
		delta := varint(varint(nil, len(base)), 1<<32) // copies of the whole base, 4 GB of them
		delta = append(delta, bytes.Repeat([]byte{0x80}, 1<<16)...)
		tree, c, id := commit(baseID)
		return []packEntry{{kind: 3, body: []byte(base)}, {kind: refDelta, base: baseID[:], body: delta}, tree, c}, id
	}
	files := 0
	whole := func() ([]packEntry, object.ID) {
		files++
		text := fmt.Sprint("file ", files)
		tree, c, id := commit(blob(text))
		return []packEntry{{kind: 3, body: []byte(text)}, tree, c}, id
	}
	for name, c := range map[string]struct {
		pack func() ([]packEntry, object.ID)
		edit func([]byte) []byte
		want string
	}{
		"whole":        {whole, nil, "unpack ok"},
		"cut off":      {whole, func(p []byte) []byte { return p[:len(p)-30] }, "early EOF"},
		"wrong sum":    {whole, func(p []byte) []byte { p[len(p)-1] ^= 1; return p }, "corrupted"},
		"more to come": {whole, func(p []byte) []byte { p[11]++; return p }, "unpack "},
		"fewer":        {whole, func(p []byte) []byte { p[11]--; return p }, "unpack "},
		"of version 9": {whole, func(p []byte) []byte { p[7] = 9; return p }, "version 9 unsupported"},
		"no pack":      {whole, func([]byte) []byte { return []byte("no pack at all, but some text") }, "signature mismatch"},
		"deep chain":   {chain, nil, "deltas"},
		"delta bomb":   {bomb, nil, "over limit"},
		"object of 1 TB": {func() ([]packEntry, object.ID) {
			entries, id := whole()
			entries[0].size = 1 << 40
			return entries, id
		}, nil, "unpack "},
		"missing blob": {func() ([]packEntry, object.ID) {
			entries, id := whole()
			return entries[1:], id
		}, nil, "unpack "},
		"missing base": {func() ([]packEntry, object.ID) {
			entries, id := whole()
			absent := blob("absent")
			entries[0] = packEntry{kind: refDelta, base: absent[:], body: []byte{6, 1, 1, 'x'}}
			return entries, id
		}, nil, "unresolved delta"},
	} {
		t.Run(name, func(t *testing.T) {
			entries, id := c.pack()
			data := encodePack(entries)
			if c.edit != nil {
				data = c.edit(data)
			}
			ref := "refs/heads/" + strings.ReplaceAll(name, " ", "-")
			body := line(strings.Repeat("0", 40)+" "+id.String()+" "+ref+"\x00report-status") + "0000" + string(data)
			reply, err := http.Post(h.address(h.user.Token)+"/git-receive-pack",
				"application/x-git-receive-pack-request", strings.NewReader(body))
			require.NoError(t, err)
			var said bytes.Buffer
			_, err = said.ReadFrom(reply.Body)
			require.NoError(t, err)
			require.NoError(t, reply.Body.Close())
			require.Equal(t, 200, reply.StatusCode)
			require.Contains(t, said.String(), c.want)
			require.NotContains(t, said.String(), "internal")
			require.Equal(t, name == "whole", strings.Contains(w.Git("ls-remote", "origin"), ref), said.String())
		})
	}
	h.clone().Git("fsck", "--strict")
}

// Actions that do not fit each other, or what is there, are refused or do what they say.
func TestActionsThatClash(t *testing.T) {
	t.Parallel()
	h := newHost(t, "actionsclash")
	w := h.begin()
	w.Git("update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(w.Git("rev-parse", "HEAD"))+",sub")
	w.Git("commit", "-qm", "Submodule")
	w.Git("push", "-q", "origin", "main")
	do := func(action, path, more string) map[string]any {
		a := map[string]any{"action": action, "file_path": path}
		switch action {
		case "create", "update":
			a["content"] = more
		case "move":
			a["previous_path"] = more
		case "chmod":
			a["execute_filemode"] = true
		}
		return a
	}
	for i, c := range []struct {
		actions []any
		files   string // that there are then; "" if it is refused
	}{
		{[]any{do("chmod", "sub", "")}, ""},
		{[]any{do("create", "d/f", "1"), do("create", "d", "1")}, ""},
		{[]any{do("create", "d", "1"), do("create", "d/f", "1")}, ""},
		{[]any{do("create", "x", "1"), do("move", "y", "x")}, "README.md sub y"},
		{[]any{do("create", "x", "1"), do("delete", "x", ""), do("create", "x/y", "1")}, "README.md sub x/y"},
		{[]any{do("create", "x/y", "1"), do("delete", "x/y", ""), do("create", "x", "1")}, "README.md sub x"},
		{[]any{do("delete", "README.md", ""), do("create", "README.md/a", "1")}, "README.md/a sub"},
		{[]any{do("move", "README.md/a", "README.md")}, "README.md/a sub"},
	} {
		branch := fmt.Sprint("case", i)
		reply := h.api("POST", "commits", map[string]any{
			"branch": branch, "start_branch": "main", "commit_message": "x", "actions": c.actions,
		})
		if c.files == "" {
			require.Equal(t, 400, reply.Status, "%v: %s", c.actions, reply.Body)
			continue
		}
		require.Equal(t, 201, reply.Status, "%v: %s", c.actions, reply.Body)
		w.Git("fetch", "-q", "origin", branch)
		require.Equal(t, c.files, strings.Join(strings.Fields(w.Git("ls-tree", "-r", "--name-only", "FETCH_HEAD")), " "))
	}
	h.clone("--mirror").Git("fsck", "--strict")
}

// Commits that make the same objects on many branches at once wait for each other, and all succeed.
func TestSameObjectsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, "sameobjects")
	h.begin()
	for round := range 3 {
		var actions []any
		for i := range 30 {
			actions = append(actions, map[string]any{
				"action": "create", "file_path": fmt.Sprint("same/", round, "/", i), "content": fmt.Sprint(round, i),
			})
		}
		var all sync.WaitGroup
		statuses := make([]int, 6)
		for i := range statuses {
			all.Go(func() {
				statuses[i] = h.api("POST", "commits", map[string]any{
					"branch": fmt.Sprintf("b%d-%d", round, i), "start_branch": "main", "commit_message": fmt.Sprint(i),
					"actions": actions,
				}).Status
			})
		}
		all.Wait()
		require.Equal(t, []int{201, 201, 201, 201, 201, 201}, statuses)
	}
}

// A push over the limit is refused with a message for the terminal.
func TestPushTooLarge(t *testing.T) {
	t.Parallel()
	h := host{t: t, s: servertest.Fresh(t)}
	h.user = h.s.User(t, "toolarge")
	h.s.Do(t, h.user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &h.project)
	w := h.begin()
	require.Equal(t, 200, h.s.Do(t, h.s.RootToken, "PUT", "/application/settings",
		map[string]any{"receive_max_input_size": 1}).Status)
	noise := make([]byte, 3<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	w.Write("noise", string(noise))
	w.Git("add", "noise")
	w.Git("commit", "-qm", "Noise")
	out := w.Refused("push", "origin", "main")
	require.Contains(t, out, "the pack is larger than 1 MiB, the limit of this server for a push")
	require.Contains(t, out, "[remote rejected] main -> main")
	w.Git("reset", "-q", "--hard", "HEAD~")
	w.Commit("small", "x")
	w.Git("push", "-q", "origin", "main")
}

// A page can begin after a path that is not UTF-8, which its token holds.
func TestPagesOfOddPaths(t *testing.T) {
	t.Parallel()
	c := &conformance{t: t, host: newHost(t, "pagesofodd"), clone: gittest.New(t)}
	c.remote = c.address(c.user.Token)
	var b strings.Builder
	b.WriteString(onMain)
	var want []string
	for i := range 9 {
		name := fmt.Sprintf("\xff/%%2F%d", i)
		fmt.Fprintf(&b, "M 100644 inline %s\ndata 1\nx\n", quote(name))
		want = append(want, jsonText(name))
	}
	imported(b.String())(c.clone)
	c.clone.Git("", "push", "-q", c.remote, "main")
	var got []string
	for _, f := range list[treeAnswer](c, "tree?recursive=true&pagination=keyset&per_page=1") {
		if f.Type == "blob" {
			got = append(got, f.Path)
		}
	}
	require.Equal(t, want, got)
}

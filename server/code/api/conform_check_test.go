package api_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// check compares answers of the API with what git says of the clone: all refs, and of each other
// kind of answer one or a few.
func (c *conformance) check() {
	c.t.Helper()
	operations := c.random
	defer func() { c.random = operations }() // which are the same however often is checked
	c.random = rand.New(rand.NewPCG(uint64(len(c.log)), 3))
	c.fetch()
	for _, ref := range c.refs("refs/tmp") {
		c.clone.Git("", "update-ref", "-d", ref)
	}
	c.checkBranches()
	c.checkTags()
	for range 4 {
		c.checkLog()
	}
	for range 2 {
		c.checkCommit()
		c.checkTree()
		c.checkFile()
		c.checkCompare()
	}
	c.checkContributors()
}

// get decodes an answer.
func (c *conformance) get(path string, v any) {
	c.t.Helper()
	reply := c.api("GET", path, nil)
	require.Equal(c.t, 200, reply.Status, "%s: %s", path, reply.Body)
	require.NoError(c.t, json.Unmarshal(reply.Body, v), path)
}

// list returns all items of a list, page after page, by the links of the answers.
func list[T any](c *conformance, path string) (all []T) {
	c.t.Helper()
	for next := fmt.Sprintf("%s/projects/%d/repository/%s", c.s.URL, c.project.ID, path); next != ""; {
		reply := c.s.Do(c.t, c.user.Token, "GET", next, nil)
		require.Equal(c.t, 200, reply.Status, "%s: %s", next, reply.Body)
		var page []T
		require.NoError(c.t, json.Unmarshal(reply.Body, &page))
		all = append(all, page...)
		next = ""
		for link := range strings.SplitSeq(reply.Header.Get("Link"), ", ") {
			if address, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
				next = strings.TrimPrefix(address, "<")
			}
		}
	}
	return all
}

// jsonText returns a text as it is after a way through JSON, which has no bytes but UTF-8.
func jsonText(text string) (out string) {
	encoded, _ := json.Marshal(text)
	_ = json.Unmarshal(encoded, &out)
	return out
}

type refAnswer struct {
	Name, Target string
	Message      *string
	Merged       bool
	Commit       struct{ ID string }
}

func (c *conformance) checkBranches() {
	c.t.Helper()
	merged := c.clone.Lines("for-each-ref", "--merged=refs/heads/main", "--format=%(refname)", "refs/heads")
	var want, got []string
	for _, line := range c.clone.Lines("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads") {
		ref, _, _ := strings.Cut(line, " ")
		isMerged := slices.Contains(merged, ref) && ref != "refs/heads/main"
		want = append(want, strings.TrimPrefix(line, "refs/heads/")+fmt.Sprint(" ", isMerged))
	}
	for _, b := range list[refAnswer](c, "branches?per_page=5") {
		got = append(got, fmt.Sprint(b.Name, " ", b.Commit.ID, " ", b.Merged))
	}
	require.Equal(c.t, want, got, "branches")
}

func (c *conformance) checkTags() {
	c.t.Helper()
	var want, got []string
	for _, line := range c.clone.Lines("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/tags") {
		name, id, _ := strings.Cut(line, " ")
		commit, err := c.clone.Try("", "rev-parse", "-q", "--verify", "refs/tags/"+name+"^{commit}")
		if err != nil {
			continue // of a tree
		}
		text := "-"
		if c.clone.Lines("cat-file", "-t", id)[0] == "tag" {
			_, text, _ = strings.Cut(c.clone.Git("", "cat-file", "tag", id), "\n\n")
			text = strings.TrimRight(text, "\n")
		}
		want = append(want, fmt.Sprintf("%s %s %s %q", name, id, strings.TrimSpace(commit), text))
	}
	for _, t := range list[refAnswer](c, "tags?per_page=3&order_by=name&sort=asc") {
		text := "-"
		if t.Message != nil {
			text = *t.Message
		}
		got = append(got, fmt.Sprintf("%s %s %s %q", t.Name, t.Target, t.Commit.ID, text))
	}
	require.Equal(c.t, want, got, "tags")
}

// revision returns a branch or a tag of a commit, or a commit near one.
func (c *conformance) revision() string {
	ref := pick(c, append(c.refs("refs/heads"), c.refs("refs/tags")...))
	if _, err := c.clone.Try("", "rev-parse", "-q", "--verify", ref+"^{commit}"); err != nil {
		ref = "refs/heads/main"
	}
	switch c.random.IntN(5) {
	case 0:
		return ref
	case 1:
		if back := ref + "~2"; c.has(back) {
			return back
		}
	case 2:
		return c.clone.Lines("rev-parse", ref+"^{commit}")[0]
	}
	_, short, _ := strings.Cut(strings.TrimPrefix(ref, "refs/"), "/")
	return short
}

func (c *conformance) has(revision string) bool {
	_, err := c.clone.Try("", "rev-parse", "-q", "--verify", revision+"^{commit}")
	return err == nil
}

// path returns a file or directory that the commits had.
func (c *conformance) anyPath() string {
	if c.random.IntN(3) == 0 {
		return pick(c, []string{"a", "a/b", "src", "z", "many", "d", "sp ace", "日本"})
	}
	return pick(c, paths)
}

func (c *conformance) checkLog() {
	c.t.Helper()
	revision, end := c.revision(), []string(nil)
	query, args := url.Values{"per_page": {"37"}}, []string{"--literal-pathspecs", "log", "--format=%H"}
	if c.random.IntN(4) == 0 {
		revision += pick(c, []string{"..", "..."}) + c.revision()
	}
	if query.Set("ref_name", revision); c.random.IntN(5) == 0 {
		query.Set("all", "true")
		revision = "--all" // without refs/tmp: check removes them
	}
	if c.random.IntN(3) == 0 {
		path := c.anyPath()
		query.Set("path", path)
		end = []string{"--", path}
	} else if c.random.IntN(3) == 0 {
		query.Set("order", "topo")
		args = append(args, "--topo-order")
	}
	if c.random.IntN(4) == 0 {
		query.Set("first_parent", "true")
		args = append(args, "--first-parent")
	}
	if c.random.IntN(5) == 0 {
		author := pick(c, []string{"Alice", "example.com", "Ünal", "nobody"})
		query.Set("author", author)
		args = append(args, "--author="+author)
	}
	if c.random.IntN(6) == 0 {
		at := pick(c, c.clone.Lines("log", "--all", "--format=%cI"))
		query.Set("since", at)
		args = append(args, "--since="+at)
	}
	if c.random.IntN(6) == 0 {
		at := pick(c, c.clone.Lines("log", "--all", "--format=%cI"))
		query.Set("until", at)
		args = append(args, "--until="+at)
	}
	want := c.clone.Lines(append(append(args, revision), end...)...)
	var got []string
	for _, l := range list[struct{ ID string }](c, "commits?"+query.Encode()) {
		got = append(got, l.ID)
	}
	if query.Has("path") && strings.Contains(revision, "..") {
		// git does not know of every commit at once that it is left out, and then shows fewer.
		inRange := c.clone.Lines("rev-list", revision)
		got = slices.DeleteFunc(got, func(id string) bool {
			require.Contains(c.t, inRange, id, "%s", query)
			return !slices.Contains(want, id)
		})
	}
	require.Equal(c.t, len(want), len(got), "%s\ngit %q", query, args)
	if query.Has("order") && (query.Has("since") || query.Has("until")) {
		// git sorts what is in the time alone; the server sorts all and leaves out the rest.
		slices.Sort(want)
		slices.Sort(got)
	}
	if len(want) > 0 {
		require.Equal(c.t, want, got, "%s\ngit %q", query, args)
	}
}

func (c *conformance) commit() string {
	return pick(c, c.clone.Lines("rev-list", "--all", "--max-count=30"))
}

// before returns the first parent of a commit, or the empty tree.
func (c *conformance) before(id string) string {
	if c.has(id + "^") {
		return id + "^"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

func (c *conformance) checkCommit() {
	c.t.Helper()
	id := c.commit()
	var got struct {
		ID            string   `json:"id"`
		ParentIDs     []string `json:"parent_ids"`
		Title         string
		Message       string
		AuthorName    string `json:"author_name"`
		AuthorEmail   string `json:"author_email"`
		AuthoredDate  string `json:"authored_date"`
		CommitterName string `json:"committer_name"`
		CommittedDate string `json:"committed_date"`
		Stats         struct{ Additions, Deletions int }
	}
	c.get("commits/"+id, &got)
	text := c.clone.Git("", "log", "-1", "--date=format:%FT%T",
		"--format=%P%x00%s%x00%an%x00%ae%x00%ad%x00%cn%x00%cd", id)
	f := strings.Split(strings.TrimSuffix(text, "\n"), "\x00")
	_, message, _ := strings.Cut(c.clone.Git("", "cat-file", "commit", id), "\n\n")
	require.Equal(c.t, append(f[:4:4], f[4]+".000", f[5], f[6]+".000", message), []string{
		strings.Join(got.ParentIDs, " "), got.Title, got.AuthorName, got.AuthorEmail, got.AuthoredDate[:23],
		got.CommitterName, got.CommittedDate[:23], got.Message,
	}, id)
	added, deleted := 0, 0
	for _, line := range c.clone.Lines("diff-tree", "-r", "--no-renames", "--numstat", c.before(id), id) {
		counts := strings.Split(line, "\t")
		n, _ := strconv.Atoi(counts[0])
		m, _ := strconv.Atoi(counts[1])
		added, deleted = added+n, deleted+m
	}
	require.Equal(c.t, []int{added, deleted}, []int{got.Stats.Additions, got.Stats.Deletions}, "stats of %s", id)

	require.Equal(c.t, c.differences(c.before(id), id), shownDifferences(list[difference](c, "commits/"+id+"/diff")), id)

	want := append([]string(nil),
		c.clone.Lines("for-each-ref", "--contains="+id, "--format=%(refname)", "refs/heads", "refs/tags")...)
	var refs []string
	for _, r := range list[struct{ Type, Name string }](c, "commits/"+id+"/refs?per_page=4") {
		refs = append(refs, map[string]string{"branch": "refs/heads/", "tag": "refs/tags/"}[r.Type]+r.Name)
	}
	require.Equal(c.t, want, refs, "refs of %s", id)
	var sequence struct{ Count int }
	c.get("commits/"+id+"/sequence", &sequence)
	require.Equal(c.t, strings.TrimSpace(c.clone.Git("", "rev-list", "--count", id)), fmt.Sprint(sequence.Count))
}

// difference is the change of one file, as the API shows it.
type difference struct {
	Diff    string
	NewPath string `json:"new_path"`
	OldPath string `json:"old_path"`
	AMode   string `json:"a_mode"`
	BMode   string `json:"b_mode"`
}

func shownDifferences(all []difference) (lines []string) {
	for _, d := range all {
		lines = append(lines, fmt.Sprintf("%s %s %q %q\n%s", d.AMode, d.BMode, d.OldPath, d.NewPath, d.Diff))
	}
	return lines
}

// differences returns how git says that the files of two commits differ.
func (c *conformance) differences(from, to string) (lines []string) {
	c.t.Helper()
	raw := strings.Split(c.clone.Git("", "diff-tree", "-r", "-M", "-z", "--raw", from, to), "\x00")
	patches := strings.Split("\n"+c.clone.Git("", "diff-tree", "-r", "-M", "-p", from, to), "\ndiff --git ")[1:]
	next := func() string {
		patch := patches[0]
		patches = patches[1:]
		if strings.Contains(patch, "\nBinary files ") {
			return "Binary files differ\n"
		}
		_, hunks, ok := strings.Cut(patch, "\n@@ ")
		if !ok {
			return ""
		}
		return "@@ " + strings.TrimSuffix(hunks, "\n") + "\n"
	}
	for len(raw) > 1 {
		fields := strings.Fields(raw[0])
		oldPath, newPath := raw[1], raw[1]
		raw = raw[2:]
		if fields[4][0] == 'R' {
			newPath, raw = raw[0], raw[1:]
		}
		text := next()
		if fields[4] == "T" {
			if other := next(); other == "Binary files differ\n" {
				text = other
			} else if text != "Binary files differ\n" {
				text += other
			}
		}
		mode := func(digits string) string { return strings.Replace(strings.TrimPrefix(digits, ":"), "000000", "0", 1) }
		lines = append(lines, fmt.Sprintf("%s %s %q %q\n%s", mode(fields[0]), mode(fields[1]), jsonText(oldPath),
			jsonText(newPath), jsonText(text)))
	}
	return lines
}

type treeAnswer struct{ ID, Type, Path, Mode string }

func (c *conformance) checkTree() {
	c.t.Helper()
	revision, dir := c.revision(), ""
	args, query := []string{"ls-tree", "-z"}, url.Values{"per_page": {"13"}, "ref": {revision}}
	if c.random.IntN(3) > 0 {
		args = append(args, "-r", "-t")
		query.Set("recursive", "true")
	}
	if c.random.IntN(3) > 0 {
		query.Set("pagination", "keyset")
	}
	args = append(args, revision)
	if below := pick(c, []string{"", "", "a", "a/b", "src", "many", "ä", "sp ace", "dir"}); below != "" {
		if kind, err := c.clone.Try("", "cat-file", "-t", revision+":"+below); err == nil && kind == "tree\n" {
			args = append(args[:len(args)-1], revision+":"+below)
			query.Set("path", below)
			dir = below + "/"
		}
	}
	var want, got []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(c.clone.Git("", args...), "\x00"), "\x00") {
		if about, path, ok := strings.Cut(entry, "\t"); ok {
			want = append(want, about+" "+jsonText(dir+path))
		}
	}
	for _, f := range list[treeAnswer](c, "tree?"+query.Encode()) {
		got = append(got, fmt.Sprintf("%s %s %s %s", f.Mode, f.Type, f.ID, f.Path))
	}
	require.Equal(c.t, want, got, "tree?%s", query.Encode())
}

func (c *conformance) checkFile() {
	c.t.Helper()
	revision := c.revision()
	entries := strings.Split(c.clone.Git("", "ls-tree", "-r", "-z", revision), "\x00")
	mode, rest, _ := strings.Cut(pick(c, entries), " ")
	kind, rest, _ := strings.Cut(rest, " ")
	id, path, _ := strings.Cut(rest, "\t")
	if kind != "blob" {
		return
	}
	address := "files/" + url.PathEscape(path)
	query := "?ref=" + url.QueryEscape(revision)
	content := c.clone.Git("", "cat-file", "blob", id)
	if jsonText(path) != path { // no JSON has it
		require.Less(c.t, c.api("GET", address+query, nil).Status, 500, "%q", path)
		return
	}
	var got struct {
		BlobID       string `json:"blob_id"`
		CommitID     string `json:"commit_id"`
		LastCommitID string `json:"last_commit_id"`
		Sum          string `json:"content_sha256"`
		Executable   bool   `json:"execute_filemode"`
		Path         string `json:"file_path"`
		Content      string
		Size         int
	}
	c.get(address+query, &got)
	decoded, err := base64.StdEncoding.DecodeString(got.Content)
	require.NoError(c.t, err)
	sum := sha256.Sum256([]byte(content))
	last := c.clone.Lines("--literal-pathspecs", "log", "-1", "--format=%H", revision, "--", path)
	require.Equal(c.t, []any{
		id, c.clone.Lines("rev-parse", revision+"^{commit}")[0], last[0], hex.EncodeToString(sum[:]), mode == "100755",
		path, content, len(content),
	}, []any{got.BlobID, got.CommitID, got.LastCommitID, got.Sum, got.Executable, got.Path, string(decoded), got.Size},
		"%q at %s", path, revision)
	require.Equal(c.t, content, string(c.api("GET", address+"/raw"+query, nil).Body), path)
	require.Equal(c.t, content, string(c.api("GET", "blobs/"+id+"/raw", nil).Body), path)

	var ranges []struct {
		Commit struct{ ID string }
		Lines  []string
	}
	c.get(address+"/blame"+query, &ranges)
	var want, lines []string
	at := ""
	for line := range strings.SplitSeq(c.clone.Git("", "blame", "--line-porcelain", revision, "--", path), "\n") {
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			want = append(want, at+" "+jsonText(text))
		} else if len(line) > 41 && line[40] == ' ' && !strings.Contains(line[:40], " ") {
			at = line[:40]
		}
	}
	for _, r := range ranges {
		for _, l := range r.Lines {
			lines = append(lines, r.Commit.ID+" "+l)
		}
	}
	require.Equal(c.t, want, lines, "blame of %q at %s", path, revision)
}

func (c *conformance) checkCompare() {
	c.t.Helper()
	from, to := c.revision(), c.revision()
	base, err := c.clone.Try("", "merge-base", from, to)
	if base = strings.TrimSpace(base); err != nil {
		base = ""
	}
	reply := c.api("GET", "merge_base?refs[]="+url.QueryEscape(from)+"&refs[]="+url.QueryEscape(to), nil)
	require.Equal(c.t, base != "", reply.Status == 200, "merge base of %s and %s: %s", from, to, reply.Body)
	if base != "" {
		var got struct{ ID string }
		reply.Into(c.t, &got)
		// Of several made in one second, git takes any.
		bases := c.clone.Lines("merge-base", "--all", from, to)
		require.Contains(c.t, bases, got.ID, "merge base of %s and %s", from, to)
		base = got.ID
	}
	straight := c.random.IntN(2) == 0
	if straight {
		base = from
	}
	if base == "" {
		return
	}
	var got struct {
		Commits []struct{ ID string }
		Diffs   []difference
	}
	c.get(fmt.Sprintf("compare?from=%s&to=%s&straight=%t", url.QueryEscape(from), url.QueryEscape(to), straight), &got)
	var ids []string
	for _, commit := range got.Commits {
		ids = append(ids, commit.ID)
	}
	want := c.clone.Lines("rev-list", "--reverse", from+".."+to)
	require.Equal(c.t, len(want), len(ids), "commits between %s and %s", from, to)
	if len(want) > 0 {
		require.Equal(c.t, want, ids, "commits between %s and %s", from, to)
	}
	require.Equal(c.t, c.differences(base, to), shownDifferences(got.Diffs), "%s to %s", from, to)
}

func (c *conformance) checkContributors() {
	c.t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, line := range c.clone.Lines("log", "--no-merges", "--format=%ae.", "refs/heads/main") {
		want[strings.ToLower(strings.TrimSuffix(line, "."))]++
	}
	for _, p := range list[struct {
		Email   string
		Commits int
	}](c, "contributors?per_page=2") {
		got[p.Email] += p.Commits
	}
	require.Equal(c.t, want, got, "contributors")
	var shares map[string]float64
	c.s.Do(c.t, c.user.Token, "GET", fmt.Sprintf("/projects/%d/languages", c.project.ID), nil).Into(c.t, &shares)
	sum := 0.0
	for _, share := range shares {
		sum += share
	}
	if len(shares) > 0 {
		require.InDelta(c.t, 100, sum, 0.5, "%v", shares)
	}
}

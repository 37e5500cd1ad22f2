package servertest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Update is the flag that rewrites golden files instead of comparing with them.
var Update = flag.Bool("update", false, "rewrite golden files")

// Transcripts runs every *.txt of a directory that holds requests, each on a database of its own.
//
// A transcript is a story: requests, and below each the answer that was recorded.
//
//	# What this is about.
//	> alice POST /groups {"name":"Acme","path":"acme"} => acme
//	201
//	{
//	  "id": $acme,
//	…
//
// The role is anonymous, root, the name of a user, created when first mentioned (alice;
// alice@read_api is the same user with a token of that scope only), or a token that was captured
// ($pat.token). What follows the path is the body: JSON, a form, "nupkg " and the metadata of a
// package in XML, or "archive " and a form: of these a file is sent. "=> acme" remembers the id of
// the answer, which may be a list of one, as $acme, its token or key as $acme.token and an address
// of ours as $acme.url; of a commit, $c is the hash and $c.short the short one, and of a tag, $v1
// is the object that it points to; $alice is a user's id. A path that begins with $base, or is such
// an address, is outside of the API, where a token goes as a bearer. In the recorded answer ids,
// days, tokens and the time it is have names; a time that was asked for is recorded as it is, and
// has to be years away. A request with ">>" only sets the scene: of its answer, which another story
// tells, no more than the status is recorded. " :: path archived" at the end records of a wide
// answer the fields that the request is about; refusals and 304 are recorded whole. With -update
// the answers are written; read them against the specification before they are committed.
func Transcripts(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains("\n"+string(text), "\n> ") {
			continue // another golden file
		}
		ran++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			got := play(t, string(text))
			if *Update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			compare(t, file, string(text), got)
		})
	}
	if ran == 0 {
		t.Fatalf("no transcripts in %s", dir)
	}
}

// Golden compares a text with a file, or writes it with -update.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, file, string(want), got)
}

// compare shows the first line that differs, with the lines before it.
func compare(t *testing.T, file, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range g {
		if i >= len(w) || w[i] != g[i] {
			start := max(0, i-12)
			t.Fatalf("%s:%d differs (go test -update rewrites it)\n%s\nrecorded: %s\nnow:      %s",
				file, i+1, strings.Join(g[start:i], "\n"),
				strings.Join(w[min(i, len(w)):min(i+3, len(w))], "\n          "),
				strings.Join(g[i:min(i+3, len(g))], "\n          "))
		}
	}
	t.Fatalf("%s: recorded more than happened now, from line %d on (go test -update rewrites it)", file, len(g)+1)
}

// play sends the requests of a transcript and returns it with today's answers.
func play(t *testing.T, text string) string {
	s := &scene{t: t, server: Fresh(t), tokens: map[string]string{"anonymous": "", "root": RootToken},
		names: names{"1": "root"}}
	s.names[s.server.Server.URL()] = "base"
	var out strings.Builder
	recorded := false // the line belongs to an answer, which is replaced
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "> "):
			fmt.Fprintf(&out, "%s\n%s\n", line, s.act(line[2:]))
			recorded = true
		case strings.HasPrefix(line, ">> "):
			status, _, _ := strings.Cut(s.act(line[3:]), "\n")
			fmt.Fprintf(&out, "%s\n%s\n\n", line, status)
			recorded = true
		case strings.HasPrefix(line, "#"):
			fmt.Fprintln(&out, line)
			recorded = false
		case !recorded:
			fmt.Fprintln(&out, line)
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// scene is one transcript being played.
type scene struct {
	t      *testing.T
	server *Server
	tokens map[string]string // by role
	names  names
	said   string // the bodies of the requests so far and the days in their paths, as they are written
}

// act sends one request and describes the answer.
func (s *scene) act(line string) string {
	line, fields, _ := strings.Cut(line, " :: ")
	line, capture, _ := strings.Cut(line, " => ")
	role, rest, ok := strings.Cut(line, " ")
	method, rest, ok2 := strings.Cut(rest, " ")
	if !ok || !ok2 {
		s.t.Fatalf("want \"> role METHOD /path [body]\", not %q", line)
	}
	path, body, _ := strings.Cut(rest, " ")
	token := s.token(role)
	var payload any
	s.said += body + strings.Join(day.FindAllString(path, -1), " ") + "\n"
	body = s.names.fill(body)
	switch {
	case body == "":
	case strings.HasPrefix(body, "{"), strings.HasPrefix(body, "["):
		payload = json.RawMessage(body)
	default:
		payload = asFile(body)
	}
	reply := s.server.Do(s.t, token, method, s.names.fill(path), payload)
	s.server.Drain(s.t)
	if capture != "" {
		s.remember(capture, reply)
	}
	if fields != "" && reply.Status < 300 {
		narrow, err := pick(reply.Body, strings.Fields(fields))
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		reply.Body = narrow
	}
	return s.names.describe(reply, s.server.Server.URL(), s.said)
}

// token returns the token of a role. It creates users on their first mention.
func (s *scene) token(role string) string {
	if strings.HasPrefix(role, "$") {
		return s.names.fill(role)
	}
	if token, ok := s.tokens[role]; ok {
		return token
	}
	username, scope, narrow := strings.Cut(role, "@")
	if narrow {
		s.token(username) // creates the user
		s.tokens[role] = s.server.Token(s.t, s.id(username), strings.Split(scope, "+")...)
	} else {
		p := s.server.User(s.t, username)
		s.names[fmt.Sprint(p.ID)] = username
		s.tokens[role] = p.Token
	}
	// The first use of a token is noted beside the request, which may or may not see it: so it is
	// not the story's.
	s.server.Do(s.t, s.tokens[role], "GET", "/version", nil)
	s.server.Drain(s.t)
	return s.tokens[role]
}

func (s *scene) id(username string) int64 {
	var n int64
	if _, err := fmt.Sscan(s.names.fill("$"+username), &n); err != nil {
		s.t.Fatalf("user %s: %v", username, err)
	}
	return n
}

package testacc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// api sends a request past hew and its proxy, which must succeed.
func (s *story) api(ts *testscript.TestScript, args []string) { s.ask(ts, args, 0) }

// answers sends one whose answer has a certain status.
func (s *story) answers(ts *testscript.TestScript, args []string) {
	if len(args) < 2 || args[1] != "api" {
		ts.Fatalf("answers STATUS api ...")
	}
	status, err := strconv.Atoi(args[0])
	ts.Check(err)
	s.ask(ts, args[2:], status)
}

// ask sends a request and prints the answer's body. Status 0 stands for any success.
func (s *story) ask(ts *testscript.TestScript, args []string, status int) {
	name := ""
	if n := len(args); n > 2 && args[n-2] == "=>" {
		name, args = args[n-1], args[:n-2]
	}
	if len(args) < 3 || len(args) > 4 {
		ts.Fatalf("api PERSONA METHOD PATH [JSON] [=> NAME]")
	}
	var body any
	if len(args) == 4 {
		body = json.RawMessage(os.Expand(args[3], ts.Getenv))
	}
	reply := s.server.Do(s.t, s.token(ts, args[0]), args[1], os.Expand(args[2], ts.Getenv), body)
	var text bytes.Buffer
	if json.Indent(&text, reply.Body, "", "  ") != nil {
		text.Write(reply.Body)
	}
	fmt.Fprintln(ts.Stdout(), text.String())
	if reply.Status != status && (status != 0 || reply.Status/100 != 2) {
		ts.Fatalf("%s answers %d: %s", strings.Join(args[1:3], " "), reply.Status, text.String())
	}
	if name != "" {
		var made struct {
			ID    json.Number
			Token string
			Key   string `json:"authorization_key"`
			URL   string
		}
		reply.Body = bytes.Trim(reply.Body, "[]\n") // of a list with one element
		reply.Into(s.t, &made)
		ts.Setenv(name, made.ID.String())
		ts.Setenv(name+"_token", cmp.Or(made.Token, made.Key))
		ts.Setenv(name+"_url", made.URL)
	}
}

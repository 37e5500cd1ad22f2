package server_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// hush is in every text of merge requests that some callers must not see.
const hush = "hush-hush"

// secrets is a group with projects whose merge requests are not for everybody, and a public one
// with an issue that they refer to.
type secrets struct {
	*servertest.Server
	t                        *testing.T
	alice, guest, dev        servertest.Persona
	group, front, fork, open int64
	head                     string           // of a source branch
	projects                 map[string]int64 // by why their merge requests are hidden
}

func (s secrets) post(by servertest.Persona, path, body string) servertest.Reply {
	s.t.Helper()
	r := s.Do(s.t, by.Token, "POST", path, json.RawMessage(body))
	require.Equal(s.t, 201, r.Status, "%s: %s", path, r.Body)
	return r
}

// make creates a thing as alice and returns its id.
func (s secrets) make(path, body string) int64 {
	s.t.Helper()
	var made servertest.Made
	s.post(s.alice, path, body).Into(s.t, &made)
	return made.ID
}

func (s secrets) set(path, body string) {
	s.t.Helper()
	r := s.Do(s.t, s.alice.Token, "PUT", path, json.RawMessage(body))
	require.Equal(s.t, 200, r.Status, "%s: %s", path, r.Body)
}

// project makes a project of the group with two branches.
func (s secrets) project(name, visibility string) int64 {
	id := s.make("/projects", fmt.Sprintf(
		`{"name":"%s","path":"%s","namespace_id":%d,"visibility":"%s"}`, name, name, s.group, visibility))
	for _, body := range twoBranches {
		s.post(s.alice, fmt.Sprintf("/projects/%d/repository/commits", id), body)
	}
	for who, level := range map[servertest.Persona]int{s.guest: 10, s.dev: 30} {
		s.post(s.alice, fmt.Sprintf("/projects/%d/members", id),
			fmt.Sprintf(`{"user_id":%d,"access_level":%d}`, who.ID, level))
	}
	return id
}

// request opens a merge request from one project into another one, with what others see of it: a
// note, a label, a milestone, a mention of an issue and of users.
func (s secrets) request(from, into int64, text string) {
	s.post(s.alice, fmt.Sprintf("/projects/%d/merge_requests", from), fmt.Sprintf(`{"source_branch":"b",
		"target_branch":"main","title":"%s","description":"%[1]s @%s Closes acme/front#1","target_project_id":%d,
		"labels":"bug","reviewer_ids":[%[4]d]}`, text, s.guest.Username, into, s.dev.ID))
	one := fmt.Sprintf("/projects/%d/merge_requests/1", into)
	s.post(s.alice, one+"/notes", fmt.Sprintf(`{"body":"%s about acme/front#1"}`, text))
	s.post(s.alice, one+"/award_emoji", `{"name":"thumbsup"}`)
	s.post(s.dev, one+"/approve", `{}`)
}

func newSecrets(t *testing.T) secrets {
	s := secrets{Server: servertest.Fresh(t), t: t, projects: map[string]int64{}}
	s.alice, s.guest, s.dev = s.User(t, "alice"), s.User(t, "guest"), s.User(t, "dev")
	s.group = s.make("/groups", `{"name":"acme","path":"acme","visibility":"public"}`)
	s.front = s.project("front", "public")
	s.post(s.alice, fmt.Sprintf("/projects/%d/issues", s.front), `{"title":"Public"}`)
	for name, c := range map[string]struct{ visibility, settings string }{
		"private":  {"private", `{"description":"x"}`},
		"members":  {"public", `{"merge_requests_access_level":"private"}`},
		"disabled": {"public", `{"merge_requests_access_level":"disabled"}`},
	} {
		id := s.project(name, c.visibility)
		s.projects[name] = id
		s.request(id, id, hush)
		s.set(fmt.Sprintf("/projects/%d", id), c.settings)
	}
	s.open = s.project("open", "public")
	s.fork = s.make(fmt.Sprintf("/projects/%d/fork", s.open),
		`{"name":"`+hush+`","path":"`+hush+`","visibility":"private"}`)
	s.Drain(t)
	s.request(s.fork, s.open, "From a fork")
	s.Drain(t)
	var branch struct{ Commit struct{ ID string } }
	s.Do(t, s.alice.Token, "GET", fmt.Sprintf("/projects/%d/repository/branches/b", s.front), nil).Into(t, &branch)
	s.head = branch.Commit.ID
	return s
}

// forms are what stands in paths for a part of their own; others are 1, which is the id of the
// first thing of a kind.
func (s secrets) forms(project int64) map[string]string {
	return map[string]string{
		"sha": s.head, "branch": "b", "file_path": "a", "user_id": fmt.Sprint(s.alice.ID), "username": "alice",
		"id": fmt.Sprint(project),
	}
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// addresses are those of all routes that read, for each of the projects.
func (s secrets) addresses() (list []string) {
	for _, r := range sum().Routes {
		if r.Method != "GET" || r.Need == "admin" || strings.HasPrefix(r.Path, "/git") {
			continue
		}
		owners := []int64{s.alice.ID}
		switch {
		case strings.HasPrefix(r.Path, "/projects/{id}"):
			owners = []int64{s.front, s.open, s.fork}
			for _, id := range s.projects {
				owners = append(owners, id)
			}
		case strings.HasPrefix(r.Path, "/groups/{id}"):
			owners = []int64{s.group}
		}
		for _, id := range owners {
			forms := s.forms(id)
			path := pathParameter.ReplaceAllStringFunc(r.Path, func(name string) string {
				if form, ok := forms[strings.Trim(name, "{}")]; ok {
					return form
				}
				return "1"
			})
			list = append(list, path+"?scope=all")
		}
	}
	return list
}

// Nothing that callers can read tells of merge requests that they may not see: those of private
// projects, those for members alone or for nobody, and the private forks that others come from.
func TestRequestsStayHidden(t *testing.T) {
	t.Parallel()
	s := newSecrets(t)
	found := regexp.MustCompile(hush + `|(private|members|disabled)!1\b`)
	addresses := s.addresses()
	for name, token := range map[string]string{
		"anonymous": "", "outsider": s.User(t, "outsider").Token, "guest": s.guest.Token,
	} {
		for _, path := range addresses {
			r := s.Do(t, token, "GET", path, nil)
			assert.Less(t, r.Status, 500, "%s %s", name, path)
			text := string(r.Body)
			if name == "guest" { // a member sees the private project by its name
				text = strings.ReplaceAll(text, `"private"`, "")
			}
			assert.Empty(t, found.FindString(text), "%s GET %s: %d %s", name, path, r.Status, text)
		}
	}
	s.requireUntouched()
	seen := 0
	for _, path := range addresses {
		if found.Match(s.Do(t, s.dev.Token, "GET", path, nil).Body) {
			seen++
		}
	}
	require.Greater(t, seen, 15, "a member who may see them does")
}

// requireUntouched tries all routes that change a merge request on those that are hidden: each is
// answered as if there were none.
func (s secrets) requireUntouched() {
	for _, r := range sum().Routes {
		rest, ok := strings.CutPrefix(r.Path, "/projects/{id}/merge_requests/{merge_request_iid}")
		if !ok || r.Method == "GET" {
			continue
		}
		rest = pathParameter.ReplaceAllString(rest, "1")
		for name, id := range s.projects {
			answer := func(iid int) string {
				path := fmt.Sprintf("/projects/%d/merge_requests/%d%s", id, iid, rest)
				r := s.Do(s.t, s.guest.Token, r.Method, path, json.RawMessage(`{}`))
				assert.Contains(s.t, []int{403, 404}, r.Status, "%s %s: %s", name, path, r.Body)
				return fmt.Sprint(r.Status, string(r.Body))
			}
			assert.Equal(s.t, answer(99), answer(1), "%s %s of %s", r.Method, r.Path, name)
		}
	}
}

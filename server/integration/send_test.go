package integration_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/hook"
	"hew/server/integration"
	"hew/server/integration/send"
	"hew/server/outbound"
	"hew/server/servertest"
	"hew/server/setting"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// service is a service on this machine. It records "METHOD path body" of what it gets.
type service struct {
	url    string
	status func(line string) int // of the answer; nil: 200

	mu  sync.Mutex
	got []string
}

func newService(t *testing.T) *service {
	s := &service{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		line := r.Method + " " + r.URL.Path + " " + string(body)
		s.mu.Lock()
		s.got = append(s.got, line)
		s.mu.Unlock()
		if s.status != nil {
			w.WriteHeader(s.status(line))
		}
		fmt.Fprint(w, "you sent ", r.URL, " ", r.Header.Get("Authorization"))
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// take returns what the service got since the last call.
func (s *service) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}

// paths returns the first words of what the service got: "POST /path".
func (s *service) paths() (paths []string) {
	for _, line := range s.take() {
		paths = append(paths, strings.Join(strings.SplitN(line, " ", 3)[:2], " "))
	}
	return paths
}

type delivery struct {
	Event          string `json:"event"`
	URL            string `json:"url"`
	State          string `json:"state"`
	Error          string `json:"error"`
	ResponseBody   string `json:"response_body"`
	ResponseStatus *int   `json:"response_status"`
	Attempts       int    `json:"attempts"`
}

// estate is a server that may call local addresses, with a project that alice pushes to.
type estate struct {
	*servertest.Server
	t       *testing.T
	token   string
	project string // its path in the API
	group   string
	service *service
}

func newEstate(t *testing.T) *estate {
	s := servertest.Fresh(t)
	require.NoError(t, setting.Set(t.Context(), s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	alice := s.User(t, "alice")
	var g, p servertest.Made
	s.Do(t, alice.Token, "POST", "/groups", map[string]any{"name": "acme", "path": "acme"}).Into(t, &g)
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site", "namespace_id": g.ID}).Into(t, &p)
	return &estate{
		Server: s, t: t, token: alice.Token, project: fmt.Sprintf("/projects/%d", p.ID),
		group: fmt.Sprintf("/groups/%d", g.ID), service: newService(t),
	}
}

// as sends a request as alice, which has to succeed.
func (e *estate) as(method, path string, body any) servertest.Reply {
	e.t.Helper()
	r := e.Do(e.t, e.token, method, path, body)
	require.Less(e.t, r.Status, 300, "%s %s: %s", method, path, r.Body)
	return r
}

// commit makes a commit on a branch, which is a push of one commit.
func (e *estate) commit(branch, message string) {
	e.t.Helper()
	body := map[string]any{"branch": branch, "commit_message": message, "actions": []map[string]any{
		{"action": "create", "file_path": message + ".txt", "content": message},
	}}
	if branch != "main" {
		body["start_branch"] = "main"
	}
	e.as("POST", e.project+"/repository/commits", body)
	e.Drain(e.t)
}

// events returns what the integration sent, the latest first.
func (e *estate) events(of, slug string) (list []delivery) {
	e.t.Helper()
	e.as("GET", of+"/integrations/"+slug+"/events", nil).Into(e.t, &list)
	return list
}

// A push is sent to the integrations of the project that want it, by flag and by branch.
func TestPushIsSent(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	at := e.project + "/integrations/"
	e.as("PUT", at+"slack", map[string]any{"webhook": e.service.url + "/services/T/very-secret", "channel": "dev"})
	e.as("PUT", at+"mattermost", map[string]any{"webhook": e.service.url + "/mm", "push_events": false})
	e.as("PUT", at+"pumble", map[string]any{"webhook": e.service.url + "/pumble", "branches_to_be_notified": "all"})
	e.as("PUT", at+"jenkins", map[string]any{
		"jenkins_url": e.service.url + "/ci", "project_name": "site", "username": "ann", "password": "t0ken-of-ann",
	})
	e.as("PUT", at+"redmine", map[string]any{
		"project_url": e.service.url, "issues_url": e.service.url, "new_issue_url": e.service.url,
	})

	e.commit("main", "first")
	require.ElementsMatch(t, []string{"POST /services/T/very-secret", "POST /pumble", "POST /ci/project/site"},
		e.service.paths())
	e.commit("side", "second")
	require.ElementsMatch(t, []string{"POST /pumble", "POST /ci/project/site"}, e.service.paths(),
		"slack hears of the default branch only")
	e.as("POST", e.project+"/wikis", map[string]any{"title": "Home", "content": "hello"})
	e.Drain(t)
	require.ElementsMatch(t, []string{"POST /services/T/very-secret", "POST /mm", "POST /pumble"}, e.service.paths())
	e.as("DELETE", at+"slack", nil)
	e.as("DELETE", at+"pumble", nil)
	e.commit("main", "third")
	require.Equal(t, []string{"POST /ci/project/site"}, e.service.paths())

	sent := e.events(e.project, "jenkins")
	require.Len(t, sent, 3)
	require.Equal(t, "push_events", sent[0].Event)
	require.Equal(t, "delivered", sent[0].State)
	require.Equal(t, 200, *sent[0].ResponseStatus)
	require.Len(t, e.events(e.project, "slack"), 2)
	require.Empty(t, e.events(e.project, "mattermost")[1:])
	for _, slug := range []string{"slack", "jenkins", "pumble"} {
		text := string(e.as("GET", e.project+"/integrations/"+slug+"/events", nil).Body)
		require.Contains(t, text, "[REDACTED]", slug)
		for _, secret := range []string{"very-secret", "t0ken-of-ann", "YW5uOnQwa2VuLW9mLWFubg=="} {
			require.NotContains(t, text, secret, slug)
		}
	}
}

// A project that inherits an integration sends with the settings and secrets of the group.
func TestInheritedIntegrationSends(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.as("PUT", e.group+"/integrations/slack", map[string]any{"webhook": e.service.url + "/group", "channel": "all"})
	e.commit("main", "first")
	require.Empty(t, e.service.take(), "nobody inherits it")
	e.as("PUT", e.project+"/integrations/slack", map[string]any{"use_inherited_settings": true})
	e.commit("main", "second")
	got := e.service.take()
	require.Len(t, got, 1)
	require.Contains(t, got[0], "POST /group ")
	require.Contains(t, got[0], `"channel":"all"`)
	e.as("PUT", e.group+"/integrations/slack", map[string]any{"push_events": false})
	e.commit("main", "third")
	require.Empty(t, e.service.take())
}

// A test sends sample data now, and says whether it was delivered and why not.
func TestTrial(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	at := e.project + "/integrations/"
	e.as("PUT", at+"slack", map[string]any{
		"webhook": e.service.url + "/services/hidden-path", "branches_to_be_notified": "protected",
	})
	var trial integration.Trial
	e.as("PUT", at+"slack/test", nil).Into(t, &trial)
	require.True(t, trial.Delivered)
	require.Nil(t, trial.Message)
	require.Equal(t, send.PushEvents, trial.Event)
	require.Equal(t, []string{"POST /services/hidden-path"}, e.service.paths())

	e.service.status = func(string) int { return 404 }
	e.as("PUT", at+"slack/test", map[string]any{"event": "wiki_page_events"}).Into(t, &trial)
	require.False(t, trial.Delivered)
	require.Equal(t, "the service answered with HTTP status 404", *trial.Message)
	require.Len(t, e.events(e.project, "slack"), 2)

	r := e.Do(t, e.token, "PUT", at+"slack/test", map[string]any{"event": "issues_events"})
	require.Equal(t, 422, r.Status, "%s", r.Body)
	r = e.Do(t, e.token, "PUT", at+"slack/test", map[string]any{"event": "tests"})
	require.Equal(t, 400, r.Status, "%s", r.Body)
	for range 3 {
		e.as("PUT", at+"slack/test", nil)
	}
	r = e.Do(t, e.token, "PUT", at+"slack/test", nil)
	require.Equal(t, 429, r.Status, "%s", r.Body)
	require.Len(t, e.service.take(), 4)
}

// world is a database without jobs, with a project and a sender.
type world struct {
	servertest.World
	project int64
	sender  *integration.Sender
	log     *strings.Builder
}

func newWorld(t *testing.T) world {
	w := world{World: servertest.NewWorld(t), log: &strings.Builder{}}
	g := w.Group("acme", nil, 0)
	w.project = w.Project("site", g.ID, 0).ID
	w.sender = &integration.Sender{
		Out: &outbound.Guard{}, Base: "https://git.example.com", Log: slog.New(slog.NewTextHandler(w.log, nil)),
	}
	return w
}

func (w world) set(t *testing.T, slug string, values map[string]any) integration.Integration {
	t.Helper()
	of, _ := catalogue.IntegrationBySlug(slug)
	i, err := integration.SetIntegration(t.Context(), w.Store, db.Container{ProjectID: &w.project},
		integration.IntegrationChange{Of: of, Values: values})
	require.NoError(t, err)
	return i
}

// push returns the job of a push whose commits have these messages.
func (w world) push(i integration.Integration, messages ...string) integration.SendJob {
	var commits []map[string]any
	for n, m := range messages {
		commits = append(commits, map[string]any{"id": strings.Repeat(fmt.Sprint(n), 40), "title": m, "message": m})
	}
	payload, _ := json.Marshal(map[string]any{"ref": "refs/heads/main", "commits": commits})
	return integration.SendJob{
		Integration: i.ID, Event: send.PushEvents, Project: w.project, Branch: "main", Key: hook.NewUUID(),
		Payload: payload,
	}
}

func (w world) sent(t *testing.T, i integration.Integration) []integration.Delivery {
	t.Helper()
	list, _, err := integration.Deliveries(t.Context(), w.Store, i.ID, db.Page{Limit: 100})
	require.NoError(t, err)
	return list
}

// A request that failed is sent again by the next attempt, and one that was delivered is not.
func TestAttempts(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), newService(t)
	require.NoError(t, setting.Set(t.Context(), w.Store, "allow_local_requests_from_web_hooks_and_services", true))
	i := w.set(t, "jira", map[string]any{"url": s.url, "username": "ann", "password": "jira-password"})
	job := w.push(i, "About ABC-1", "About ABC-2")
	s.status = func(line string) int {
		if strings.Contains(line, "ABC-2/comment") {
			return 503
		}
		return 201
	}
	err := integration.Deliver(w.sender, t.Context(), w.Store, job)
	require.ErrorContains(t, err, "HTTP status 503")
	require.NotContains(t, err.Error(), s.url)
	const issue = "POST /rest/api/2/issue/"
	require.Equal(t, []string{issue + "ABC-1/comment", issue + "ABC-1/remotelink", issue + "ABC-2/comment"}, s.paths())
	s.status = nil
	require.NoError(t, integration.Deliver(w.sender, t.Context(), w.Store, job))
	require.Equal(t, []string{issue + "ABC-2/comment", issue + "ABC-2/remotelink"}, s.paths())
	require.NoError(t, integration.Deliver(w.sender, t.Context(), w.Store, job))
	require.Empty(t, s.paths())

	// If the server stopped before it knew the outcome, the request may have been delivered.
	lost := w.push(i, "About ABC-4")
	require.NoError(t, integration.Deliver(w.sender, t.Context(), w.Store, lost))
	require.Len(t, s.take(), 2)
	require.NoError(t, w.Exec(t.Context(), `update integration_deliveries set state = 'sending' where key = '`+lost.Key+`'`,
		nil))
	require.NoError(t, integration.Deliver(w.sender, t.Context(), w.Store, lost))
	require.Empty(t, s.take())

	s.status = func(string) int { return 401 }
	require.NoError(t, integration.Deliver(w.sender, t.Context(), w.Store, w.push(i, "ABC-3")), "a refusal is final")
	list := w.sent(t, i)
	require.Len(t, list, 7)
	require.Equal(t, "failed", list[0].State)
	require.Equal(t, 2, list[4].Attempts, "the comment on ABC-2")
	for _, d := range list {
		require.NotContains(t, fmt.Sprint(d), "jira-password")
	}
	require.Empty(t, w.log.String())

	require.NoError(t, w.Exec(t.Context(), `update integration_deliveries set created_at = now() - interval '8 days'
		where state = 'failed'`, nil))
	require.Len(t, w.sent(t, i), 6)
	require.NoError(t, integration.RemoveOldDeliveries(t.Context(), w.Store, integration.SweepJob{}))
	n, err := db.Value[int](t.Context(), w.Store, `select count(*) from integration_deliveries`, nil)
	require.NoError(t, err)
	require.Equal(t, 6, n)
}

// Nothing is sent to addresses of the local network, also if the setting changed afterwards.
func TestLocalAddressesAreRefused(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), newService(t)
	set := func(on bool) {
		require.NoError(t, setting.Set(t.Context(), w.Store, "allow_local_requests_from_web_hooks_and_services", on))
	}
	set(true)
	i := w.set(t, "slack", map[string]any{"webhook": s.url + "/hidden"})
	lines := w.set(t, "irker", map[string]any{"recipients": "#ops"}) // at localhost, unless it says more
	set(false)
	for _, of := range []integration.Integration{i, lines} {
		require.NoError(t, integration.Deliver(w.sender, t.Context(), w.Store, w.push(of, "first")), of.Slug)
		list := w.sent(t, of)
		require.Len(t, list, 1)
		require.Equal(t, "failed", list[0].State)
		require.Regexp(t, "blocked|local network", list[0].Error)
		require.NotContains(t, list[0].URL+list[0].Error, "hidden")
	}
	require.Empty(t, s.take())
}

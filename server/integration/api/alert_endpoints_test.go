package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// tool is a monitoring tool that sends alerts about a project to one of its integrations.
type tool struct {
	*servertest.Server
	project  int64
	url, key string
}

func newTool(t *testing.T, kind string) tool {
	s := servertest.Fresh(t)
	var project struct{ ID int64 }
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "Web", "path": "web"}).Into(t, &project)
	var made struct {
		URL string `json:"url"`
		Key string `json:"authorization_key"`
	}
	s.Do(t, s.RootToken, "POST", fmt.Sprintf("/projects/%d/alert_integrations", project.ID),
		map[string]any{"name": "Tool", "type": kind, "api_url": "https://tool.example.com"}).Into(t, &made)
	return tool{s, project.ID, made.URL, made.Key}
}

// sent is an alert in the answer to its sender.
type sent struct {
	IID   int64
	Title string
}

// report sends a body with the key, which has to be taken.
func (m tool) report(t *testing.T, body any) (list []sent) {
	t.Helper()
	m.Do(t, m.key, "POST", m.url, body).Into(t, &list)
	return list
}

// alert reads one.
func (m tool) alert(t *testing.T, iid int64) (a struct {
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Severity    string   `json:"severity"`
	Service     string   `json:"service"`
	Tool        string   `json:"monitoring_tool"`
	Hosts       []string `json:"hosts"`
	Events      int      `json:"event_count"`
}) {
	t.Helper()
	m.Do(t, m.RootToken, "GET", fmt.Sprintf("/projects/%d/alerts/%d", m.project, iid), nil).Into(t, &a)
	return a
}

// metrics is a body in the format of metrics.
func metrics(alerts ...map[string]any) map[string]any {
	body := map[string]any{"version": "4", "alerts": alerts}
	for key := range strings.FieldsSeq(
		"commonAnnotations commonLabels externalURL groupKey groupLabels receiver status",
	) {
		body[key] = nil
	}
	return body
}

// An authorization key is shown as a bearer, as a password of nobody, or of anybody, as it stands
// in an address.
func TestAlertCredentials(t *testing.T) {
	t.Parallel()
	m := newTool(t, "http")
	for name, c := range map[string]struct {
		show   func(*http.Request)
		status int
	}{
		"bearer":               {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+m.key) }, 200},
		"bearer in small":      {func(r *http.Request) { r.Header.Set("Authorization", "bearer "+m.key) }, 200},
		"basic without a user": {func(r *http.Request) { r.SetBasicAuth("", m.key) }, 200},
		"in the address":       {func(r *http.Request) { r.URL.User = url.UserPassword("anybody", m.key) }, 200},
		"as the user":          {func(r *http.Request) { r.SetBasicAuth(m.key, "") }, 401},
		"another": {func(r *http.Request) {
			r.Header.Set("Authorization",
				"Bearer "+strings.Repeat("0", 32))
		}, 401},
		"a token":               {func(r *http.Request) { r.Header.Set("PRIVATE-TOKEN", m.RootToken) }, 401},
		"the key for a token":   {func(r *http.Request) { r.Header.Set("PRIVATE-TOKEN", m.key) }, 401},
		"the key in the query":  {func(r *http.Request) { r.URL.RawQuery = "private_token=" + m.key }, 401},
		"none":                  {func(*http.Request) {}, 401},
		"a scheme of their own": {func(r *http.Request) { r.Header.Set("Authorization", "Token "+m.key) }, 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := http.NewRequestWithContext(t.Context(), "POST", m.url, strings.NewReader(`{}`))
			require.NoError(t, err)
			c.show(r)
			answer, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			require.Equal(t, c.status, answer.StatusCode)
			if c.status != 200 {
				require.Empty(t, body)
			}
		})
	}
}

// Values above the limits are cut, or the request is refused without a message.
func TestAlertLimits(t *testing.T) {
	t.Parallel()
	m := newTool(t, "http")
	nested := func(levels int) string {
		return strings.Repeat(`{"a":`, levels-1) + `{}` + strings.Repeat(`}`, levels-1)
	}
	padded := func(bytes int) string { return `{"a":"` + strings.Repeat("x", bytes-len(`{"a":""}`)) + `"}` }
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"a megabyte":      {padded(1 << 20), 200},
		"a byte more":     {padded(1<<20 + 1), 400},
		"deep":            {nested(100), 200},
		"deeper":          {nested(101), 400},
		"deep in lists":   {`{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, 400},
		"nothing":         {``, 200},
		"null":            {`null`, 400},
		"half":            {`{"title":`, 400},
		"two":             {`{} {}`, 400},
		"a form":          {`title=x`, 400},
		"cannot be kept":  {`{"title":"\u0000"}`, 400},
		"a list of texts": {`["title"]`, 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply := m.Do(t, m.key, "POST", m.url, json.RawMessage(c.body))
			require.Equal(t, c.status, reply.Status)
			if c.status != 200 {
				require.Empty(t, reply.Body)
			}
		})
	}

	long, hosts := strings.Repeat("ä", 2000), slices.Repeat([]string{strings.Repeat("h", 300)}, 30)
	list := m.report(
		t, map[string]any{"title": long, "description": long, "service": long, "monitoring_tool": long, "hosts": hosts},
	)
	a := m.alert(t, list[0].IID)
	require.Equal(t, long[:2*200], a.Title)
	require.Equal(t, long[:2*1000], a.Description)
	require.Equal(t, []string{long[:2*100], long[:2*100]}, []string{a.Service, a.Tool})
	require.Equal(t, slices.Repeat([]string{strings.Repeat("h", 255)}, 20), a.Hosts)

	many := make([]map[string]any, 120)
	for n := range many {
		many[n] = map[string]any{
			"startsAt": "2026-03-01T10:00:00Z", "labels": map[string]any{"alertname": fmt.Sprint("no ", n)},
		}
	}
	require.Len(t, m.report(t, metrics(many...)), 100)
}

// Both formats have their own words for severities, and critical for all others (spec 3 §2.2,
// §2.3).
func TestAlertSeverities(t *testing.T) {
	t.Parallel()
	m := newTool(t, "http")
	words := map[string]string{
		"critical": "critical CRITICAL S1 p1 emergency fatal unheard-of", "high": "High s2 P2 major page",
		"medium": "medium s3 p3 Error alert",
		"low":    "low s4 p4 warn WARNING", "info": "info s5 p5 debug information notice",
	}
	for severity, words := range words {
		for word := range strings.FieldsSeq(words) {
			list := m.report(t, metrics(
				map[string]any{"startsAt": "2026-03-01", "labels": map[string]any{"alertname": word, "severity": word}},
			))
			require.Equal(t, severity, m.alert(t, list[0].IID).Severity, "%s in the format of metrics", word)
		}
	}
	for said, severity := range map[any]string{
		"Critical": "critical", "high": "high", "mEdium": "medium", "LOW": "low", "info": "info", "unknown": "unknown",
		"s3": "critical", "warning": "critical", "": "critical", 3: "critical",
	} {
		list := m.report(t, map[string]any{"title": fmt.Sprint(said), "severity": said})
		require.Equal(t, severity, m.alert(t, list[0].IID).Severity, "%v in the generic format", said)
	}
}

// However many report one thing at once, to however many processes, it is one alert; and the
// numbers of alerts have neither gaps nor twins.
func TestAlertsAtOnce(t *testing.T) {
	t.Parallel()
	m := newTool(t, "http")
	other := m.Beside(t)
	const each = 20
	var all sync.WaitGroup
	for n := range each {
		for _, server := range []*servertest.Server{m.Server, other} {
			for _, title := range []string{"the same", fmt.Sprintf("%d at %s", n, server.URL)} {
				all.Go(func() { assert.NoError(t, m.through(server, title)) })
			}
		}
	}
	all.Wait()
	var list []struct {
		IID    int    `json:"iid"`
		Title  string `json:"title"`
		Events int    `json:"event_count"`
	}
	m.Do(t, m.RootToken, "GET", fmt.Sprintf("/projects/%d/alerts?sort=asc&per_page=100", m.project), nil).Into(t, &list)
	require.Len(t, list, 2*each+1)
	for n, a := range list {
		require.Equal(t, n+1, a.IID)
		require.Equal(t, map[bool]int{true: 2 * each, false: 1}[a.Title == "the same"], a.Events, a.Title)
	}
}

// through reports something to one of several processes. It runs beside the test, so it must not
// end it.
func (m tool) through(s *servertest.Server, title string) error {
	address := strings.Replace(m.url, m.Server.Server.URL(), s.Server.URL(), 1)
	r, err := http.NewRequest("POST", address, strings.NewReader(fmt.Sprintf(`{"title":%q}`, title)))
	if err != nil {
		return err
	}
	r.SetBasicAuth("", m.key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", title, answer.Status)
	}
	return nil
}

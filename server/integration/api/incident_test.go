package api_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// monitored is a project that receives alerts.
type monitored struct {
	*servertest.Server
	t          *testing.T
	path       string
	url        string
	key, token string
}

// monitored creates a project of a user, named after the test, with an alert integration and
// settings.
func newMonitored(t *testing.T, name string, settings map[string]any) monitored {
	s := servertest.Start(t)
	user := s.User(t, name)
	m := monitored{Server: s, t: t, token: user.Token}
	var p servertest.Made
	s.Do(t, m.token, "POST", "/projects", map[string]any{"name": name}).Into(t, &p)
	m.path = fmt.Sprintf("/projects/%d", p.ID)
	var i struct {
		URL string `json:"url"`
		Key string `json:"authorization_key"`
	}
	s.Do(t, m.token, "POST", m.path+"/alert_integrations", map[string]any{"name": "checks"}).Into(t, &i)
	m.url, m.key = i.URL, i.Key
	if settings != nil {
		r := s.Do(t, m.token, "PUT", m.path+"/incident_management_settings", settings)
		require.Equal(t, 200, r.Status, "%s", r.Body)
	}
	return m
}

// report sends an alert and returns the status of the answer.
func (m monitored) report(body string) int {
	return fetch(m.t, "POST", m.url, "Bearer "+m.key, "application/json", []byte(body)).Status
}

type shownAlert struct {
	Status   string `json:"status"`
	IssueIID *int   `json:"issue_iid"`
}

// alert waits for the jobs and returns an alert.
func (m monitored) alert(iid int) (a shownAlert) {
	m.Drain(m.t)
	m.Do(m.t, m.token, "GET", fmt.Sprintf("%s/alerts/%d", m.path, iid), nil).Into(m.t, &a)
	return a
}

type shownIncident struct {
	IID         int    `json:"iid"`
	Title       string `json:"title"`
	Description string `json:"description"`
	State       string `json:"state"`
	IssueType   string `json:"issue_type"`
	Severity    string `json:"severity"`
	Author      struct {
		Username string `json:"username"`
	} `json:"author"`
}

func (m monitored) incident(iid int) (i shownIncident) {
	m.Do(m.t, m.token, "GET", fmt.Sprintf("%s/issues/%d", m.path, iid), nil).Into(m.t, &i)
	return i
}

// An alert opens one incident, however often it is reported and at how many places at once, and
// what resolves the alert closes the incident and says why.
func TestAlertsOpenAndCloseIncidents(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, "incident-life", map[string]any{"create_issue": true})
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			m.report(`{"title":"Disk full","severity":"high","service":"storage","hosts":["db-1","@all"]}`)
		})
	}
	all.Wait()
	a := m.alert(1)
	require.NotNil(t, a.IssueIID)
	i := m.incident(*a.IssueIID)
	require.Equal(t, "Disk full", i.Title)
	require.Equal(t, "opened", i.State)
	require.Equal(t, "incident", i.IssueType)
	require.Equal(t, "HIGH", i.Severity)
	require.Equal(t, "alert-bot", i.Author.Username)
	require.Contains(t, i.Description, "**Service:** `storage`")
	require.Contains(t, i.Description, "**Hosts:** `db-1 @all`", "what tools send mentions nobody")

	var list []shownIncident
	m.Do(t, m.token, "GET", m.path+"/issues?issue_type=incident", nil).Into(t, &list)
	require.Len(t, list, 1)

	m.report(`{"title":"Disk full","severity":"high","service":"storage","end_time":"2026-03-01T12:30:00Z"}`)
	require.Equal(t, "resolved", m.alert(1).Status)
	require.Equal(t, "closed", m.incident(i.IID).State)
	var notes []struct {
		Body string `json:"body"`
	}
	m.Do(t, m.token, "GET", fmt.Sprintf("%s/issues/%d/notes", m.path, i.IID), nil).Into(t, &notes)
	require.Contains(t, fmt.Sprint(notes), "automatically closed this incident because the alert resolved.")

	m.report(`{"title":"Disk full","severity":"high","service":"storage"}`)
	again := m.alert(2)
	require.NotNil(t, again.IssueIID, "an alert that comes back opens another incident")
	require.NotEqual(t, i.IID, *again.IssueIID)
}

// What an alert in the metrics format adds to its incident stands at the end of the description.
func TestIncidentsHaveTheMarkdownOfTheirAlert(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, "incident-markdown", map[string]any{"create_issue": true})
	require.Equal(t, 200, m.report(`{"version":"4","groupKey":"g","status":"firing","receiver":"","groupLabels":{},
		"commonLabels":{},"commonAnnotations":{},"externalURL":"","alerts":[{"startsAt":"2026-03-01T10:00:00Z",
		"labels":{"alertname":"Down","severity":"info"},"annotations":{"svc_incident_markdown":"**Call** somebody"}}]}`))
	a := m.alert(1)
	require.NotNil(t, a.IssueIID)
	i := m.incident(*a.IssueIID)
	require.Contains(t, i.Description, "\n---\n\n**Call** somebody")
	require.Equal(t, "UNKNOWN", i.Severity)
}

// Without the setting, and where a project has no issues, an alert opens no incident.
func TestAlertsOpenNoIncidentUnasked(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, "incident-unasked", nil)
	require.Equal(t, 200, m.report(`{"title":"One"}`))
	require.Nil(t, m.alert(1).IssueIID)

	m = newMonitored(t, "incident-no-issues", map[string]any{"create_issue": true})
	m.Do(t, m.token, "PUT", m.path, map[string]any{"issues_access_level": "disabled"})
	require.Equal(t, 200, m.report(`{"title":"One"}`))
	require.Nil(t, m.alert(1).IssueIID)
}

// A project can leave it to people to resolve alerts: then the incident stays open, too.
func TestIncidentsStayOpenWithoutAutoClose(t *testing.T) {
	t.Parallel()
	m := newMonitored(t, "incident-stays", map[string]any{"create_issue": true, "auto_close_incident": false})
	m.report(`{"title":"One"}`)
	a := m.alert(1)
	require.NotNil(t, a.IssueIID)
	m.report(`{"title":"One","end_time":"2026-03-01T12:30:00Z"}`)
	require.Equal(t, "triggered", m.alert(1).Status)
	require.Equal(t, "opened", m.incident(*a.IssueIID).State)
}

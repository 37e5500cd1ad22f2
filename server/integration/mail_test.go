package integration_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/integration"
	"hew/server/mail"
)

// Emails on push hands its mail to package mail, and records that it cannot without a mail server.
func TestEmailsOnPush(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.as("PUT", e.project+"/integrations/emails-on-push", map[string]any{"recipients": "dev@example.com ops@example.com"})
	e.commit("main", "first")
	sent := e.events(e.project, "emails-on-push")
	require.Len(t, sent, 1)
	require.Equal(t, "failed", sent[0].State)
	require.Contains(t, sent[0].Error, "HEWD_SMTP_URL")

	server, err := mail.Open("smtp://127.0.0.1:1?from=hewd@example.com&tls=none") // no job runs here
	require.NoError(t, err)
	w := newWorld(t)
	server.Base, server.Log = "https://git.example.com", slog.New(slog.DiscardHandler)
	mail.Attach(w.Store, server)
	t.Cleanup(func() { mail.Attach(w.Store, nil) })
	i := w.set(t, "emails-on-push", map[string]any{"recipients": "dev@example.com"})
	require.ErrorContains(t, integration.Deliver(w.sender, t.Context(), w.Store, w.push(i, "first")), "job queue",
		"the mail is enqueued, and this database has no queue")
}

// A new alert is sent once to the chats that want alerts.
func TestAlertsAreSent(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.as("PUT", e.project+"/integrations/slack", map[string]any{"webhook": e.service.url + "/hook", "alert_events": true})
	e.as("PUT", e.project+"/integrations/pumble", map[string]any{"webhook": e.service.url + "/pumble"})
	id, err := db.Value[int64](t.Context(), e.Store, `select id from projects where path = 'site'`, nil)
	require.NoError(t, err)
	report := integration.Alert{
		Title: "Disk full", Status: integration.Triggered, Severity: "critical", Hosts: []string{}, Fingerprint: "disk",
		Payload: []byte(`{}`),
	}
	for range 2 {
		_, err = integration.ReportAlerts(t.Context(), e.Store, id, []integration.Alert{report})
		require.NoError(t, err)
	}
	e.Drain(t)
	got := e.service.take()
	require.Len(t, got, 1)
	require.Contains(t, got[0], "Alert of severity critical in ")
	require.Contains(t, got[0], "/acme/site/-/alert_management/1/details")
}

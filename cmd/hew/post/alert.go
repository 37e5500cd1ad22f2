package post

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hew/provider/client"
)

// alertMessage is the body of a request to a generic alert endpoint. The endpoint merges messages
// with the same fingerprint into one alert, and a message with an end time resolves it.
type alertMessage struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	StartTime   string `json:"start_time,omitempty"`
	EndTime     string `json:"end_time,omitempty"`
	Severity    string `json:"severity"`
	Service     string `json:"service"`
	Tool        string `json:"monitoring_tool"`
	Hosts       string `json:"hosts"`
	Fingerprint string `json:"fingerprint"`
}

const (
	maxAlertDescription = 1000 // characters that an endpoint stores
	alertTimeout        = 30 * time.Second
)

// alertToken is the variable with the key of the endpoint. A flag would show the key to every user
// of the machine.
const alertToken = "HEW_ALERT_TOKEN"

// alertURL parses the URL of an endpoint. Errors do not repeat it, because it may have a key.
func alertURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, errors.New("-alert must be an absolute http or https URL, such as " +
			"https://git.example.com/acme/ops/alerts/notify/drift/0123456789abcdef.json")
	}
	if u.User != nil {
		return nil, errors.New("-alert must not have a user or password, because every user of the machine can " +
			"see it. Set the key in " + alertToken)
	}
	return u, nil
}

func (n news) alert(now time.Time) alertMessage {
	at := now.UTC().Format(time.RFC3339)
	m := alertMessage{Title: "Drift of " + n.subject, Severity: "medium", Service: "hew", Tool: "hew", Hosts: n.host,
		Fingerprint: n.fingerprint}
	if n.lost {
		m.Severity = "critical"
	}
	if !n.drift {
		m.EndTime = at
		m.Description = n.sum
		return m
	}
	m.StartTime = at
	m.Description = n.sum
	for i, name := range n.names {
		line := "\n" + name
		if more := fmt.Sprintf("\n… %d more",
			len(n.names)-i); len([]rune(m.Description+line+more)) > maxAlertDescription {
			m.Description += more
			break
		}
		m.Description += line
	}
	return m
}

// sendAlert sends one message. It follows no redirects, which would leak the key.
func (e Env) sendAlert(ctx context.Context, to string, n news) error {
	u, err := alertURL(to)
	if err != nil {
		return err
	}
	body, err := json.Marshal(n.alert(e.Now()))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, alertTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "hew/"+e.Version)
	key := strings.TrimSpace(e.Vars[alertToken])
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New(alertToken + " contains a space, a line break or another character that is not allowed " +
			"in a key")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	network, err := client.FromEnv(e.lookup).Network(1 << 20)
	if err != nil {
		return err
	}
	resp, err := network.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("no response from %s: %w", u.Host, err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection closes cleanly
	return alertAnswer(u.Host, resp.StatusCode, key != "")
}

// alertAnswer returns an error for a status other than 2xx, with the likely reason.
func alertAnswer(host string, status int, keyed bool) error {
	answer := fmt.Sprintf("%s answered %d %s", host, status, http.StatusText(status))
	switch {
	case status/100 == 2:
		return nil
	case status == http.StatusUnauthorized && !keyed:
		return fmt.Errorf("%s: no key is set. Set %s to the authorization key of the endpoint", answer, alertToken)
	case status == http.StatusUnauthorized:
		return fmt.Errorf("%s: the key in %s is not valid for this endpoint", answer, alertToken)
	case status == http.StatusForbidden:
		return fmt.Errorf("%s: the endpoint does not exist or is disabled", answer)
	case status == http.StatusNotFound:
		return fmt.Errorf("%s: the project or endpoint does not exist", answer)
	case status/100 == 3:
		return fmt.Errorf("%s: the endpoint redirects, and hew does not send the key to another address. Set "+
			"-alert to the new URL", answer)
	}
	return errors.New(answer)
}

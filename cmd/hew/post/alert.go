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

// alertMessage is what a generic alert endpoint takes. The endpoint counts
// messages of one fingerprint as one alert, and one with an end resolves it.
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

// What an endpoint keeps of an alert, in characters, and how long it may take.
const (
	maxAlertDescription = 1000
	alertTimeout        = 30 * time.Second
)

// alertToken is where the key of the endpoint is: a flag would show it to
// everybody on the machine.
const alertToken = "HEW_ALERT_TOKEN"

// alertURL reads the address of an endpoint, and never repeats it: there may be
// a key in it.
func alertURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, errors.New("-alert does not hold a URL such as https://git.example.com/acme/ops/alerts/notify/drift/0123456789abcdef.json")
	}
	if u.User != nil {
		return nil, errors.New("-alert holds a user or a password, which everybody on the machine can see. Put the key into " + alertToken)
	}
	return u, nil
}

func (n news) alert(now time.Time) alertMessage {
	at := now.UTC().Format(time.RFC3339)
	m := alertMessage{Title: "Drift of " + n.subject, Severity: "medium", Service: "hew", Tool: "hew", Hosts: n.host, Fingerprint: n.fingerprint}
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
		if more := fmt.Sprintf("\n… %d more", len(n.names)-i); len([]rune(m.Description+line+more)) > maxAlertDescription {
			m.Description += more
			break
		}
		m.Description += line
	}
	return m
}

// sendAlert sends one message. Redirects are not followed: they would carry the
// key away.
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
		return errors.New(alertToken + " holds a space, a line break or a character that no key has")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	network, err := client.FromEnv(e.lookup).Network()
	if err != nil {
		return err
	}
	resp, err := network.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("no answer from %s: %w", u.Host, err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection ends well
	return alertAnswer(u.Host, resp.StatusCode, key != "")
}

// alertAnswer says what a refusal means.
func alertAnswer(host string, status int, keyed bool) error {
	said := fmt.Sprintf("%s answers %d %s", host, status, http.StatusText(status))
	switch {
	case status/100 == 2:
		return nil
	case status == http.StatusUnauthorized && !keyed:
		return fmt.Errorf("%s: no key is set. Put the authorization key of the endpoint into %s", said, alertToken)
	case status == http.StatusUnauthorized:
		return fmt.Errorf("%s: the key in %s is not the one of this endpoint", said, alertToken)
	case status == http.StatusForbidden:
		return fmt.Errorf("%s: nothing listens at this address, or it is switched off", said)
	case status == http.StatusNotFound:
		return fmt.Errorf("%s: there is no such project or endpoint", said)
	case status/100 == 3:
		return fmt.Errorf("%s: it sends hew on to another address, which must not see the key. Name that one in -alert", said)
	}
	return errors.New(said)
}

package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Whoever keeps a ledger may be busy, or between us and it somebody may be: a
// request is made so often, with pauses that double.
const (
	mostAsks     = 5
	firstPause   = 250 * time.Millisecond
	longestPause = 30 * time.Second
	longest      = 256 << 20 // bytes of an answer
)

// answer is what a server said, whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask makes one request. An answer that breaks off is an error.
func (w *web) ask(ctx context.Context, e endpoint, lock string, body []byte) (answer, error) {
	u := e.url
	if lock != "" {
		query := u.Query()
		query.Set("ID", lock)
		u.RawQuery = query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, e.method, u.String(), bytes.NewReader(body))
	if err != nil {
		return answer{}, fmt.Errorf("%s is not a method that can be sent", e.method)
	}
	r.Header.Set("User-Agent", "hew")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if w.config.Username != "" || w.config.Password != "" {
		r.SetBasicAuth(w.config.Username, w.config.Password)
	}
	resp, err := w.client.Do(r)
	if err != nil {
		return answer{}, again{error: bare(err)}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, longest))
	if err != nil {
		return answer{}, again{error: fmt.Errorf("the answer of %s broke off: %w", w.where, err)}
	}
	return answer{resp.StatusCode, resp.Header, text}, nil
}

// bare is the error of a request without its address, in which there may be a
// token.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// again is a failure that may pass.
type again struct {
	error
	after time.Duration // as the server says
}

func (a again) Unwrap() error { return a.error }

// failure is what an answer comes to: one that may pass, if it is the server's own
// trouble.
func (a answer) failure(err error) error {
	if a.status < 500 && a.status != http.StatusTooManyRequests && a.status != http.StatusRequestTimeout {
		return err
	}
	seconds, _ := strconv.Atoi(a.header.Get("Retry-After"))
	return again{err, time.Duration(seconds) * time.Second}
}

// insist tries until it works, fails for good, or has failed too often.
func (w *web) insist(ctx context.Context, try func() error) error {
	wait := firstPause
	for n := 1; ; n++ {
		err := try()
		var a again
		if n == mostAsks || !errors.As(err, &a) {
			return err
		}
		if w.pause(ctx, min(max(wait, a.after), longestPause)) != nil {
			return err
		}
		wait *= 2
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// refused says what a server answered, and what to do about that.
func (w *web) refused(a answer) error {
	text := fmt.Sprintf("%s answers %d %s", w.where, a.status, http.StatusText(a.status))
	if said := message(a.body); said != "" {
		text += " (" + said + ")"
	}
	switch a.status {
	case http.StatusUnauthorized:
		text += ": username and password of the ledger block, TF_HTTP_USERNAME and TF_HTTP_PASSWORD sign in there; on the host of this run, hew's own token does"
	case http.StatusForbidden:
		text += ": reading a ledger there takes the role of a developer of the project, and writing or locking it that of a maintainer"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		text += ": is the address right? On a GitLab-compatible host it is …/api/v4/projects/ID/terraform/state/NAME, with /lock for the lock"
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		text += ": give the address that it has now"
	case http.StatusRequestEntityTooLarge:
		text += ": the server has a limit for states, which an administrator can raise"
	}
	return errors.New(text)
}

// message is what an answer in JSON says in words; nothing of any other, which
// may be a page.
func message(body []byte) string {
	var says struct{ Message, Error json.RawMessage }
	if json.Unmarshal(body, &says) != nil {
		return ""
	}
	text := string(says.Message)
	if text == "" {
		text = string(says.Error)
	}
	text = strings.Trim(text, `"`)
	return text[:min(len(text), 200)]
}

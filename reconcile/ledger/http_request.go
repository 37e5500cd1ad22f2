package ledger

import (
	"bytes"
	"context"
	"encoding/base64"
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

// A request that fails for a reason that may pass is repeated with pauses that double.
const (
	maxAttempts  = 5
	firstPause   = 250 * time.Millisecond
	longestPause = 30 * time.Second
)

// response is a response with its whole body.
type response struct {
	status int
	header http.Header
	body   []byte
}

func (r response) succeeded() bool {
	return r.status == http.StatusOK || r.status == http.StatusCreated || r.status == http.StatusNoContent
}

func (r response) isLocked() bool {
	return r.status == http.StatusConflict || r.status == http.StatusLocked
}

// request makes one request. lock is the ID of the lock that the process holds, "" for none.
func (s *httpStore) request(ctx context.Context, e endpoint, lock string, body []byte) (response, error) {
	u := e.url
	if lock != "" {
		query := u.Query()
		query.Set("ID", lock)
		u.RawQuery = query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, e.method, u.String(), bytes.NewReader(body))
	if err != nil {
		return response{}, fmt.Errorf("%q is not a valid HTTP method", e.method)
	}
	req.Header.Set("User-Agent", "hew")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.config.Username != "" || s.config.Password != "" {
		req.SetBasicAuth(s.config.Username, s.config.Password)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return response{}, retryable{error: stripURL(err)}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if final := (interface{ Final() bool })(nil); errors.As(err, &final) && final.Final() {
		return response{}, fmt.Errorf("the response of %s cannot be used: %w", s.where, err)
	}
	if err != nil {
		return response{}, retryable{error: fmt.Errorf("the response of %s was cut off: %w", s.where, err)}
	}
	return response{resp.StatusCode, resp.Header, text}, nil
}

// stripURL returns the error of a request without its URL, which may hold a token.
func stripURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// retryable is a failure that may pass.
type retryable struct {
	error
	wait time.Duration // at least, as the server asks
}

func (r retryable) Unwrap() error { return r.error }

// retryIfServerError makes err retryable if the response is a server error, a rate limit or a
// timeout.
func (r response) retryIfServerError(err error) error {
	if r.status < 500 && r.status != http.StatusTooManyRequests && r.status != http.StatusRequestTimeout {
		return err
	}
	seconds, _ := strconv.Atoi(r.header.Get("Retry-After"))
	return retryable{err, time.Duration(seconds) * time.Second}
}

// retry calls try until it succeeds, fails for good or has failed maxAttempts times.
func (s *httpStore) retry(ctx context.Context, try func() error) error {
	wait := firstPause
	for n := 1; ; n++ {
		err := try()
		var r retryable
		if n == maxAttempts || !errors.As(err, &r) {
			return err
		}
		if s.sleep(ctx, min(max(wait, r.wait), longestPause)) != nil {
			return err
		}
		wait *= 2
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// remedies is what to do about a status.
var remedies = map[int]string{
	http.StatusUnauthorized: "Check username and password in the ledger block, or TF_HTTP_USERNAME " +
		"and TF_HTTP_PASSWORD. For a ledger on the host of this run they default to the token of hew",
	http.StatusForbidden: "On a GitLab-compatible host, reading a ledger needs the Developer role in the project, " +
		"and writing or locking it the Maintainer role",
	http.StatusNotFound:              checkAddress,
	http.StatusMethodNotAllowed:      checkAddress,
	http.StatusMovedPermanently:      followRedirect,
	http.StatusFound:                 followRedirect,
	http.StatusTemporaryRedirect:     followRedirect,
	http.StatusPermanentRedirect:     followRedirect,
	http.StatusRequestEntityTooLarge: "An administrator of the server can raise its size limit for states",
}

const (
	checkAddress = "Check that the address is right: on a GitLab-compatible host it is " +
		"https://HOST/api/v4/projects/ID/terraform/state/NAME, with /lock appended for lock_address"
	followRedirect = "hew does not follow redirects for a ledger. Set the address to the new one"
)

// redact masks the password in a text of the server, also in the form that it is sent in.
func (s *httpStore) redact(text string) string {
	if s.config.Password == "" {
		return text
	}
	sent := base64.StdEncoding.EncodeToString([]byte(s.config.Username + ":" + s.config.Password))
	return strings.NewReplacer(s.config.Password, "(secret)", sent, "(secret)").Replace(text)
}

// refusal returns the error for a response that is not a success, with what to do about it.
func (s *httpStore) refusal(r response) error {
	text := fmt.Sprintf("%s answered %d %s", s.where, r.status, http.StatusText(r.status))
	if said := s.redact(errorMessage(r.body)); said != "" {
		text += " (" + said + ")"
	}
	if remedy := remedies[r.status]; remedy != "" {
		text += ". " + remedy
	}
	return errors.New(text)
}

// errorMessage returns the message of a JSON response, at most 200 bytes, or "" if there is none.
func errorMessage(body []byte) string {
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

package client

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// largestAnswer bounds the memory of one answer; a page of 100 is far below it.
const largestAnswer = 64 << 20

// largestHeader bounds the header of an answer.
const largestHeader = 256 << 10

// tooLarge is the error of an answer that is longer than so many bytes.
type tooLarge int64

func (t tooLarge) Error() string {
	return fmt.Sprintf("the answer is longer than %d MiB", int64(t)>>20)
}

// Final reports that trying again does not help.
func (tooLarge) Final() bool { return true }

func isTooLarge(err error) bool {
	_, ok := errors.AsType[tooLarge](err)
	return ok
}

// answer is a reply below 300 with all that came with it.
type answer struct {
	Reply
	header http.Header
	body   []byte
}

// readBody reads and closes a body, so that its connection and its turn are free.
func (c *call) readBody(resp *http.Response) error {
	defer resp.Body.Close()
	var err error
	if c.body, err = io.ReadAll(resp.Body); err != nil { // up to largestAnswer
		return err
	}
	c.read = true
	return nil
}

// decode turns an answer into out. What is not JSON is most often the login page
// of something that stands before the host.
func (c *Client) decode(path Path, method string, a answer, out any) error {
	decoder := json.NewDecoder(bytes.NewReader(a.body))
	decoder.UseNumber()
	err := decoder.Decode(out)
	if err == nil {
		return nil
	}
	failed := &Error{Method: method, Endpoint: path.template, Path: path.encoded, Status: a.Status,
		RequestID: a.RequestID, Err: err}
	failed.Unknown = method != http.MethodGet // done, it seems, but not in a way we can tell
	if len(bytes.TrimSpace(a.body)) == 0 {
		failed.Message = "the answer is empty; check for a proxy that drops answers"
		return failed
	}
	failed.Message = "the answer does not have the documented shape: " + c.redact(err.Error())
	if kind := a.header.Get("Content-Type"); !strings.Contains(kind, "json") {
		failed.Message = fmt.Sprintf("the answer is not JSON but %q; check that %s is the address of the host itself",
			c.redact(kind), c.config.URLFrom)
	}
	return failed
}

// noResponse says in a line why none of several tries got a response; url.Error would repeat the
// URL.
func (c *Client) noResponse(err error, tries int) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if errors.Is(err, errRedirect) || isTooLarge(err) || errors.Is(err, context.Canceled) {
		return err
	}
	if slow, ok := errors.AsType[slowAnswer](err); ok {
		return fmt.Errorf("the answer of %s (%s) is too slow: %w", c.URL(), c.config.URLFrom, slow)
	}
	hint := ""
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		hint = "; if the certificate authority is your own, set HEW_CA_FILE to its certificate"
	}
	attempts := ""
	if tries > 1 {
		attempts = fmt.Sprintf(" in %d attempts", tries)
	}
	return fmt.Errorf("no response from %s (%s)%s: %w%s", c.URL(), c.config.URLFrom, attempts, err, hint)
}

// needToken says which token a 401 is about.
func (c *Client) needToken(need string) string {
	switch {
	case need != "":
		return need
	case c.token == "":
		return "a token, but none was sent; set HEW_TOKEN"
	case c.config.TokenFrom != "":
		return "a valid token; the one in " + c.config.TokenFrom + " is not valid"
	}
	return "a valid token; this one is not valid"
}

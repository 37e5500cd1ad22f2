package servertest

import (
	"encoding/json"
	"net/http"
	"testing"
)

// Reply is an answer.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Into decodes a successful answer into v. Any other answer fails the test.
func (r Reply) Into(t testing.TB, v any) {
	t.Helper()
	if r.Status >= 300 {
		t.Fatalf("status %d: %s", r.Status, r.Body)
	}
	if err := json.Unmarshal(r.Body, v); err != nil {
		t.Fatalf("%v: %s", err, r.Body)
	}
}

// Failed reports whether a status says that the server broke: 5xx, except 501 for what it does not
// have.
func Failed(status int) bool { return status >= 500 && status != http.StatusNotImplemented }

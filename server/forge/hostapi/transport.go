package hostapi

import (
	"net/http"
	"time"

	"hew/server/outbound"
)

// requestTime limits a request.
const requestTime = time.Minute

// Transport returns what connects to the hosts that a policy admits.
func Transport(out *outbound.Guard, policy outbound.Policy) http.RoundTripper {
	guard := *out
	guard.Timeout = requestTime
	return limited{guard.Client(outbound.Options{Policy: policy})}
}

// limited sends requests within the time limit of a client, which its transport does not have.
type limited struct{ client *http.Client }

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) { return l.client.Do(r) }

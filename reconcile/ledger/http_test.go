package ledger

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// impatient returns an HTTP backend that does not pause between attempts.
func impatient(t *testing.T, s *states, lock bool) Backend {
	t.Helper()
	c := HTTPConfig{Address: s.URL + "/a", Key: testKey}
	if lock {
		c.LockAddress = s.URL + "/a/lock"
	}
	b, err := HTTP(c)
	require.NoError(t, err)
	b.(*remoteBackend).store.(*httpStore).sleep = func(context.Context, time.Duration) error { return nil }
	return b
}

// TestHTTPTroubles makes requests fail in every way: nothing is lost or stored twice.
func TestHTTPTroubles(t *testing.T) {
	many := func(n int, one trouble) (all []trouble) {
		for range n {
			all = append(all, one)
		}
		return all
	}
	for _, tt := range []struct {
		name    string
		trouble []trouble
		locked  bool
		fails   string // what Append says; "": nothing
		saves   int
	}{
		{"a server that is busy", many(3, trouble{"POST", "500"}), true, "", 1},
		{"done, and answered 500", many(1, trouble{"POST", "done 500"}), true, "", 1},
		{"done, and cut off", many(1, trouble{"POST", "done cut"}), true, "", 1},
		{"cut off before", many(2, trouble{"POST", "cut"}), true, "", 1},
		{"without a lock", many(1, trouble{"POST", "done 500"}), false, "", 1},
		{"looking is cut off, too", []trouble{{"POST", "done 500"}, {"GET", "cut"}, {"GET", "truncated"},
			{"GET", "page"}}, true, "", 1},
		{"never", many(maxAttempts, trouble{"POST", "500"}), true, "answered 500", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStates(t)
			b := impatient(t, s, tt.locked)
			unlock, err := b.Lock(t.Context(), "me")
			require.NoError(t, err)
			reloaded(t, b)
			s.trouble = tt.trouble
			err = b.Append(t.Context(), delta(1))
			require.Empty(t, s.trouble)
			require.Equal(t, tt.saves, s.saves)
			if tt.fails == "" {
				require.NoError(t, err)
				require.NoError(t, b.Append(t.Context(), delta(2)))
				require.Len(t, reloaded(t, impatient(t, s, false)).Entries, 2)
			} else {
				require.ErrorContains(t, err, tt.fails)
				require.ErrorContains(t, b.Append(t.Context(), delta(2)), tt.fails, "what is stored is not known")
			}
			require.NoError(t, unlock())
		})
	}
}

func TestHTTPReadsThroughTrouble(t *testing.T) {
	s := newStates(t)
	b := impatient(t, s, false)
	reloaded(t, b)
	require.NoError(t, b.Append(t.Context(), delta(1)))
	require.Contains(t, b.Notes()[0], "lock_address is not set")
	for _, how := range []string{"500", "cut", "truncated", "page"} {
		s.trouble = []trouble{{"GET", how}, {"GET", how}}
		require.Len(t, reloaded(t, b).Entries, 1, how)
	}
}

// TestHTTPLocksThroughTrouble loses the responses to lock and unlock.
func TestHTTPLocksThroughTrouble(t *testing.T) {
	for _, how := range []string{"500", "done 500", "cut", "done cut"} {
		s := newStates(t)
		b := impatient(t, s, true)
		s.trouble = []trouble{{"LOCK", how}, {"UNLOCK", how}}
		unlock, err := b.Lock(t.Context(), "me")
		require.NoError(t, err, how)
		require.NoError(t, unlock(), how)
		require.Empty(t, s.trouble)
		require.Nil(t, s.lock)
	}
}

func TestHTTPDamage(t *testing.T) {
	for _, tt := range []struct{ stored, says string }{
		{"<html>", "not a ledger"},
		{`{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"a"}`, "holds a Terraform state"},
		{`{"version":4,"serial":1,"lineage":"a"}`, "not a ledger"},
		{`{"hew_ledger":2,"serial":1,"lineage":"a"}`, "format 2"},
		{`{"hew_ledger":1,"serial":1,"lineage":"a","entries":[{"addr":"group.a","entry":{"kin":1}}]}`,
			"group.a: not a ledger entry"},
		{`{"hew_ledger":1,"serial":1,"lineage":"a","entries":[{"addr":"group.a","entry":{}},{"addr":"group.a","entry":{}}]}`, "recorded twice"},
	} {
		s := newStates(t)
		s.stored = []byte(tt.stored)
		_, err := impatient(t, s, true).Load(t.Context())
		require.ErrorContains(t, err, tt.says)
		require.NotContains(t, err.Error(), "at line")
	}
}

// TestDocument pins the document's version, which is above all of Terraform's.
func TestDocument(t *testing.T) {
	s := newStates(t)
	b := impatient(t, s, true)
	l := reloaded(t, b)
	require.NoError(t, b.Append(t.Context(), delta(1)))
	require.True(t,
		strings.HasPrefix(
			string(s.stored),
			`{"version":1001,"serial":1,"lineage":"`+l.Lineage+`","hew_ledger":1,"host":"`+host+
				`","entries":[{"addr":"project.p[1]"`,
		),
		string(s.stored),
	)
}

// TestHTTPHidesPassword: a server that repeats what it was sent has it shown to nobody.
func TestHTTPHidesPassword(t *testing.T) {
	t.Parallel()
	s := &httpStore{config: HTTPConfig{Username: "hew", Password: "s3cret"}}
	err := s.refusal(response{status: 403, body: []byte(`{"message":"no: s3cret, Basic aGV3OnMzY3JldA=="}`)})
	require.ErrorContains(t, err, "no: (secret), Basic (secret)")
}

// finalError is the error of a response that breaks a limit of the client.
type finalError struct{}

func (finalError) Error() string            { return "the answer is too long" }
func (finalError) Final() bool              { return true }
func (finalError) Read([]byte) (int, error) { return 0, finalError{} }

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestHTTPLimits: a response that breaks a limit of the client is not asked for again.
func TestHTTPLimits(t *testing.T) {
	t.Parallel()
	tries := 0
	b, err := HTTP(HTTPConfig{Address: "https://me:s3cret@ledger.example.com/a?token=s3cret", Key: testKey,
		Client: &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
			tries++
			return &http.Response{StatusCode: http.StatusOK, Request: req, Body: io.NopCloser(finalError{})}, nil
		})}})
	require.NoError(t, err)
	_, err = b.Load(t.Context())
	require.EqualError(t, err,
		"cannot read the ledger: the response of https://ledger.example.com/a cannot be used: the answer is too long")
	require.Equal(t, 1, tries)
}

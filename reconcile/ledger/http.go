package ledger

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// HTTPConfig describes a ledger on a server that speaks the protocol of Terraform's HTTP backend.
// Only Address is required; the defaults are Terraform's.
type HTTPConfig struct {
	Address       string
	LockAddress   string // "": the ledger has no lock
	UnlockAddress string // "": LockAddress
	UpdateMethod  string // "": POST
	LockMethod    string // "": LOCK
	UnlockMethod  string // "": UNLOCK
	Username      string
	Password      string
	Key           string // text of the digest key
	// Client limits how long and how slow responses are; nil: a new one, without limits. An error
	// with a method Final that returns true is not tried again.
	Client *http.Client
}

// HTTP returns a backend that keeps a ledger on a server of Terraform states. It sends nothing
// itself. It fails if an address is not valid, with an error that shows no password.
func HTTP(c HTTPConfig) (Backend, error) {
	c.UnlockAddress = cmp.Or(c.UnlockAddress, c.LockAddress)
	s := &httpStore{config: c, sleep: sleep}
	if c.Client != nil {
		s.client = *c.Client
	}
	// A followed redirect would turn a POST into a GET, and nothing would be saved.
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s.readEndpoint.method = http.MethodGet
	s.updateEndpoint.method = cmp.Or(c.UpdateMethod, http.MethodPost)
	s.lockEndpoint.method = cmp.Or(c.LockMethod, "LOCK")
	s.unlockEndpoint.method = cmp.Or(c.UnlockMethod, "UNLOCK")
	for _, of := range []struct {
		argument, value string
		into            []*endpoint
	}{
		{"address", c.Address, []*endpoint{&s.readEndpoint, &s.updateEndpoint}},
		{"lock_address", c.LockAddress, []*endpoint{&s.lockEndpoint}},
		{"unlock_address", c.UnlockAddress, []*endpoint{&s.unlockEndpoint}},
	} {
		if of.value == "" && of.argument != "address" {
			continue
		}
		u, err := url.Parse(of.value)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("%s must be an absolute https or http URL", of.argument)
		}
		if s.config.Username == "" && s.config.Password == "" && u.User != nil {
			s.config.Username = u.User.Username()
			s.config.Password, _ = u.User.Password()
		}
		u.User = nil
		for _, e := range of.into {
			e.url = *u
		}
	}
	s.where = redactURL(s.readEndpoint.url)
	return &remoteBackend{store: s, where: s.where, keyText: c.Key}, nil
}

// redactURL returns a URL without its query and fragment, which may hold a token.
func redactURL(u url.URL) string {
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// httpStore is the store of a ledger that is one document on a server.
type httpStore struct {
	config   HTTPConfig
	where    string
	client   http.Client
	sleep    func(context.Context, time.Duration) error
	heldLock heldLock
	entries  rawEntries // as of the last load or save

	readEndpoint, updateEndpoint, lockEndpoint, unlockEndpoint endpoint
}

// endpoint is a URL and the method to request it with.
type endpoint struct {
	method string
	url    url.URL
}

const noLockNote = "The ledger %s has no lock because lock_address is not set. If two runs write at the same time, " +
	"the later one is refused. Set lock_address to keep a second run out from the start."

func (s *httpStore) load(ctx context.Context) (l *Ledger, notes []string, err error) {
	if s.config.LockAddress == "" {
		notes = append(notes, fmt.Sprintf(noLockNote, s.where))
	}
	l, s.entries, err = s.fetch(ctx)
	return l, notes, err
}

// fetch returns the ledger that is stored now. A document that cannot be read may have been cut off
// on its way, so fetch requests it again before it calls it damaged.
func (s *httpStore) fetch(ctx context.Context) (l *Ledger, entries rawEntries, err error) {
	err = s.retry(ctx, func() error {
		r, err := s.request(ctx, s.readEndpoint, "", nil)
		switch {
		case err != nil:
			return fmt.Errorf("cannot read the ledger: %w", err)
		case r.status == http.StatusNotFound && strings.Contains(errorMessage(r.body), "Project Not Found"):
			return fmt.Errorf("cannot read the ledger: %w, and that the token can see the project", s.refusal(r))
		case r.status == http.StatusNotFound, r.status == http.StatusNoContent,
			r.status == http.StatusOK && len(bytes.TrimSpace(r.body)) == 0:
			l, entries = nil, nil
			return nil
		case r.status != http.StatusOK:
			return fmt.Errorf("cannot read the ledger: %w", r.retryIfServerError(s.refusal(r)))
		}
		l, entries, err = parseDocument(s.where, r.body)
		var damage *DamageError
		if errors.As(err, &damage) {
			return retryable{error: err} // may be a proxy's error page
		}
		return err
	})
	return l, entries, err
}

// save sends the document. If the response is lost, or is an error although the server may have
// saved the document, it looks at what is stored before it sends again.
func (s *httpStore) save(ctx context.Context, was uint64, head Header, lines []line, whole bool) error {
	next, err := s.entries.apply(lines, whole)
	if err != nil {
		return err
	}
	text, err := next.encodeDocument(head)
	if err != nil {
		return err
	}
	// A server without locks may not compare serials either.
	look := s.heldLock.id() == ""
	err = s.retry(ctx, func() error {
		if look {
			done, err := s.isStored(ctx, was, text, whole)
			if done || err != nil {
				return err
			}
		}
		look = true
		return s.send(ctx, was, text, whole)
	})
	if err == nil {
		s.entries = next
	}
	return err
}

// send sends the document once. A refusal does not prove that it is not stored: it may be the
// answer to a second copy of the request.
func (s *httpStore) send(ctx context.Context, was uint64, text []byte, whole bool) error {
	r, err := s.request(ctx, s.updateEndpoint, s.heldLock.id(), text)
	switch {
	case err != nil:
		return unknownOutcome{err}
	case r.succeeded():
		return nil
	case r.isLocked():
		if l := parseLockInfo(r.body); l.ID != "" {
			return s.lockedError(l)
		}
		if s.heldLock.id() != "" {
			return fmt.Errorf("this run cannot write to the ledger, because its lock was released. Run the command "+
				"again: %w", s.refusal(r))
		}
	}
	refusal := s.refusal(r)
	if err := r.retryIfServerError(refusal); errors.As(err, new(retryable)) {
		return unknownOutcome{err}
	}
	if done, err := s.isStored(ctx, was, text, whole); done || err != nil {
		return err
	}
	return refusal
}

// isStored reports whether a document is stored. It fails with a *StaleError if something else is
// stored than was loaded. If the whole ledger is being replaced, a damaged one of the same serial
// counts as the one that was loaded.
func (s *httpStore) isStored(ctx context.Context, was uint64, text []byte, whole bool) (done bool, err error) {
	l, entries, err := s.fetch(ctx)
	var damage *DamageError
	if whole && errors.As(err, &damage) && damage.serial == was {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var serial uint64
	if l != nil {
		serial = l.Serial
		stored, err := entries.encodeDocument(l.Header)
		if err != nil {
			return false, err
		}
		done = bytes.Equal(stored, text)
	}
	if !done && serial != was {
		return false, &StaleError{s.where, was}
	}
	return done, nil
}

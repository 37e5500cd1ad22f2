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

// HTTPConfig says where a ledger is kept that is read and written by the protocol
// of Terraform's HTTP backend. Only Address is required; what is left out is as in
// Terraform.
type HTTPConfig struct {
	Address       string
	LockAddress   string // "": it is not locked
	UnlockAddress string // "": LockAddress
	UpdateMethod  string // POST
	LockMethod    string // LOCK
	UnlockMethod  string // UNLOCK
	Username      string
	Password      string
	Key           string       // text of the digest key
	Client        *http.Client // nil: the usual one
}

// HTTP keeps a ledger on a server of Terraform states; it sends nothing before the
// first call. The error is about an address, and repeats no password.
func HTTP(c HTTPConfig) (Backend, error) {
	c.UnlockAddress = cmp.Or(c.UnlockAddress, c.LockAddress)
	p := &web{config: c, pause: pause}
	if c.Client != nil {
		p.client = *c.Client
	}
	// Whoever follows a redirect with a GET has not saved what he meant to.
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p.update.method, p.locks.method, p.unlocks.method = cmp.Or(c.UpdateMethod, http.MethodPost), cmp.Or(c.LockMethod, "LOCK"), cmp.Or(c.UnlockMethod, "UNLOCK")
	p.read.method = http.MethodGet
	for _, of := range []struct {
		name, text string
		into       []*endpoint
	}{
		{"address", c.Address, []*endpoint{&p.read, &p.update}},
		{"lock_address", c.LockAddress, []*endpoint{&p.locks}},
		{"unlock_address", c.UnlockAddress, []*endpoint{&p.unlocks}},
	} {
		if of.text == "" && of.name != "address" {
			continue
		}
		u, err := url.Parse(of.text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("%s is not an address that begins with https:// or http://", of.name)
		}
		if p.config.Username == "" && p.config.Password == "" && u.User != nil {
			p.config.Username = u.User.Username()
			p.config.Password, _ = u.User.Password()
		}
		u.User = nil
		for _, e := range of.into {
			e.url = *u
		}
	}
	p.where = shown(p.read.url)
	return &remote{place: p, where: p.where, keyText: c.Key}, nil
}

// shown is an address as it may be printed: what follows the path may be a token.
func shown(u url.URL) string {
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// web is the place of a ledger that is one document on a server.
type web struct {
	config                       HTTPConfig
	where                        string
	client                       http.Client
	pause                        func(context.Context, time.Duration) error
	read, update, locks, unlocks endpoint
	held                         held

	stored entries // as of the last load or save
}

// endpoint is what is asked how.
type endpoint struct {
	method string
	url    url.URL
}

const unlockedNote = "The ledger %s has no lock, because lock_address is not set: of two runs at once, the one that writes later is refused. " +
	"Set lock_address, and runs wait for each other."

func (w *web) load(ctx context.Context) (l *Ledger, notes []string, err error) {
	if w.config.LockAddress == "" {
		notes = append(notes, fmt.Sprintf(unlockedNote, w.where))
	}
	l, w.stored, err = w.current(ctx)
	return l, notes, err
}

// current is what is stored now. A document that cannot be read may have been cut
// off on its way, so it is asked for again before it counts as damaged.
func (w *web) current(ctx context.Context) (l *Ledger, stored entries, err error) {
	err = w.insist(ctx, func() error {
		a, err := w.ask(ctx, w.read, "", nil)
		switch {
		case err != nil:
			return fmt.Errorf("cannot read the ledger: %w", err)
		case a.status == http.StatusNotFound && strings.Contains(message(a.body), "Project Not Found"): // not the state alone
			return fmt.Errorf("cannot read the ledger: %w; or the token may not see that project", w.refused(a))
		case a.status == http.StatusNotFound, a.status == http.StatusNoContent, a.status == http.StatusOK && len(bytes.TrimSpace(a.body)) == 0:
			l, stored = nil, nil
			return nil
		case a.status != http.StatusOK:
			return fmt.Errorf("cannot read the ledger: %w", a.failure(w.refused(a)))
		}
		l, stored, err = parseDocument(w.where, a.body)
		var damage *DamageError
		if errors.As(err, &damage) {
			return again{error: err} // the pages of proxies count as well
		}
		return err
	})
	return l, stored, err
}

// save sends the document. Where the answer is lost, or may have been about a
// deed that was done nevertheless, it looks before it sends again.
func (w *web) save(ctx context.Context, was uint64, head line, lines []line, whole bool) error {
	next, err := w.stored.with(lines, whole)
	if err != nil {
		return err
	}
	text, err := next.document(head)
	if err != nil {
		return err
	}
	// A server that keeps nobody out may not look at serials either.
	look := w.held.id() == ""
	err = w.insist(ctx, func() error {
		if look {
			done, err := w.compare(ctx, was, text, whole)
			if done || err != nil {
				return err
			}
		}
		look = true
		return w.put(ctx, was, text, whole)
	})
	if err == nil {
		w.stored = next
	}
	return err
}

// put sends the document once. What is refused may have come twice, or too late.
func (w *web) put(ctx context.Context, was uint64, text []byte, whole bool) error {
	a, err := w.ask(ctx, w.update, w.held.id(), text)
	switch {
	case err != nil:
		return uncertain{err}
	case a.status == http.StatusOK, a.status == http.StatusCreated, a.status == http.StatusNoContent:
		return nil
	case a.status == http.StatusConflict, a.status == http.StatusLocked:
		if l := lockOf(a.body); l.ID != "" {
			return w.lockedBy(l)
		}
		if w.held.id() != "" {
			return fmt.Errorf("the lock that this run took is not there any more: %w", w.refused(a))
		}
	}
	refusal := w.refused(a)
	if err := a.failure(refusal); errors.As(err, new(again)) {
		return uncertain{err} // a deed that failed, or an answer that did
	}
	if done, err := w.compare(ctx, was, text, whole); done || err != nil {
		return err
	}
	return refusal
}

// compare tells whether a document is stored already, and is a *StaleError where
// something else is than was loaded. What is damaged may be what was loaded, where
// the whole is written anew.
func (w *web) compare(ctx context.Context, was uint64, text []byte, whole bool) (done bool, err error) {
	l, stored, err := w.current(ctx)
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
		now, err := stored.document(l.header())
		if err != nil {
			return false, err
		}
		done = bytes.Equal(now, text)
	}
	if !done && serial != was {
		return false, &StaleError{w.where, was}
	}
	return done, nil
}

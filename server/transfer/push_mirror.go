package transfer

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
)

// mostMirrors is how many push mirrors one project may have (gaps §12.4).
const mostMirrors = 10

// CreatePushMirror makes a push mirror of a project that leads to url, out of the defaults and what fill says (spec 1 §4.8,
// gaps §12.4).
func CreatePushMirror(
	ctx context.Context, st *db.Store, c db.Container, url string, fill func(*PushMirror) error,
) (m PushMirror, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		n, err := PushMirrors(st, c).Count(ctx)
		switch {
		case err != nil:
			return err
		case n >= mostMirrors:
			return fault.Invalid("base", fmt.Sprintf("Maximum number of push mirrors (%d) exceeded", mostMirrors))
		}
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		if m, err = NewPushMirror(ctx, st, *c.ProjectID); err != nil {
			return err
		}
		SetMirrorURL(st, &m, url)
		var wrong check.Problems
		wrong.On("url", blockedMirror(setting.OutboundPolicy(settings), url)...)
		if err := fill(&m); err != nil {
			return err
		}
		if err := finishMirror(st, &m, &wrong); err != nil {
			return err
		}
		m, err = PushMirrors(st, c).Create(ctx, m)
		return err
	})
	return m, err
}

// ChangePushMirror lets change edit a push mirror of a project, and stores the outcome. Where it leads stays as it is.
func ChangePushMirror(
	ctx context.Context, st *db.Store, c db.Container, id int64, change func(*PushMirror) error,
) (PushMirror, error) {
	return PushMirrors(st, c).Change(ctx, db.ByID(id), func(st *db.Store, m *PushMirror) error {
		if err := change(m); err != nil {
			return err
		}
		return finishMirror(st, m, &check.Problems{})
	})
}

// blockedMirror says why nothing may be pushed to an address, in the words of the public service; it says nothing if it may.
func blockedMirror(policy outbound.Policy, url string) []string {
	scheme, _, _ := strings.Cut(url, "://")
	switch {
	case strings.ContainsAny(url, "\r\n"):
		return []string{"is blocked: URI is invalid, it has line breaks"}
	case outbound.Git[strings.ToLower(scheme)] == "":
		return []string{"is blocked: Only allowed schemes are ssh, git, http, https"}
	case strings.Contains(MaskCredentials(url), "*****") && MaskCredentials(url) == url:
		return []string{"is blocked: ***** stands for credentials, and is none"} // as answers show them
	case policy.AdmitsBy(outbound.Git, url):
		return nil
	case (outbound.Policy{Local: true}).AdmitsBy(outbound.Git, url):
		return []string{"is blocked: Requests to the local network are not allowed"}
	}
	return []string{"is blocked: URI is invalid"}
}

// finishMirror says what else is wrong with what a mirror has become, and gives it keys if it is to have some.
func finishMirror(st *db.Store, m *PushMirror, wrong *check.Problems) error {
	if m.MirrorBranchRegex != nil && wrong.Fits("mirror_branch_regex", *m.MirrorBranchRegex, check.MaxRegexLength) {
		if err := check.Regex(*m.MirrorBranchRegex); err != nil {
			wrong.On("mirror_branch_regex", "not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	if err := wrong.Err(); err != nil || m.AuthMethod != ByKey || m.PublicKey != nil {
		return err
	}
	public, private, err := newKeyPair()
	if err == nil {
		SetMirrorKey(st, m, public, private)
	}
	return err
}

// newKeyPair makes a pair of keys: the line that a receiver is given, and a file for ssh.
func newKeyPair() (public string, private []byte, err error) {
	open, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return "", nil, err
	}
	key, err := ssh.NewPublicKey(open)
	if err != nil {
		return "", nil, err
	}
	block, err := ssh.MarshalPrivateKey(secret, "")
	if err != nil {
		return "", nil, err
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))), pem.EncodeToMemory(block), nil
}

// MirrorKey is the public key that the receiver of a mirror has to know.
func MirrorKey(m PushMirror) (string, error) {
	if m.AuthMethod != ByKey || m.PublicKey == nil {
		return "", fault.NotFound("")
	}
	return *m.PublicKey, nil
}

// PushToMirror would push to a mirror now. There is nothing to push yet.
func PushToMirror(m PushMirror) error {
	if !m.Enabled {
		return fault.BadRequest("Cannot proceed with the push mirroring. Please verify your mirror configuration.").In(fault.Text)
	}
	return fault.NotImplemented("a push needs the repository, which this server does not have yet")
}

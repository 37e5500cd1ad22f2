package transfer

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
)

// PushMirror is where the branches of a project are pushed to (spec 1 §2.10, gaps §12.4). Its credentials are sealed: use
// setMirrorURL and setMirrorKey, and MirrorURL to read.
type PushMirror struct {
	ID                     int64      `db:"id,auto" json:"id"`
	ProjectID              int64      `db:"project_id" json:"-"`
	Enabled                bool       `db:"enabled" json:"enabled"`
	URL                    string     `db:"url" json:"url"` // as it is shown: with masks for what is secret
	SealedURL              []byte     `db:"sealed_url" json:"-"`
	AuthMethod             string     `db:"auth_method" json:"auth_method"` // password, ssh_public_key
	PublicKey              *string    `db:"public_key" json:"-"`
	SealedKey              []byte     `db:"sealed_key" json:"-"`
	UpdateStatus           string     `db:"update_status,auto" json:"update_status"` // none, as long as there is nothing to push
	LastError              *string    `db:"last_error,auto" json:"last_error"`
	LastUpdateAt           *time.Time `db:"last_update_at,auto" json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `db:"last_update_started_at,auto" json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `db:"last_successful_update_at,auto" json:"last_successful_update_at"`
	OnlyProtectedBranches  bool       `db:"only_protected_branches" json:"only_protected_branches"`
	KeepDivergentRefs      bool       `db:"keep_divergent_refs" json:"keep_divergent_refs"`
	MirrorBranchRegex      *string    `db:"mirror_branch_regex" json:"mirror_branch_regex"`
	CreatedAt              time.Time  `db:"created_at,auto" json:"-"`
	UpdatedAt              time.Time  `db:"updated_at,auto" json:"-"`
}

// How a mirror is let in where it pushes to.
const (
	ByKey      = "ssh_public_key"
	ByPassword = "password"
)

// NewPushMirror is one that is off. It has its id already, because secrets are sealed for the row they belong to.
func NewPushMirror(ctx context.Context, s *db.Store, projectID int64) (PushMirror, error) {
	id, err := s.NextID(ctx, "push_mirrors")
	return PushMirror{ID: id, ProjectID: projectID, AuthMethod: ByPassword}, err
}

// PushMirrors are those of a project. One that is made is a NewPushMirror.
func PushMirrors(s *db.Store, c db.Container) db.Held[PushMirror] {
	return db.HeldIn[PushMirror](s, c, "push_mirrors")
}

// Where the secrets of a mirror are, for their seals.
const (
	mirrorURL = "push_mirrors.sealed_url"
	mirrorKey = "push_mirrors.sealed_key"
)

// setMirrorURL gives the mirror its address, and seals it if there is somebody's name or password in it.
func setMirrorURL(s *db.Store, m *PushMirror, url string) {
	m.URL, m.SealedURL = maskCredentials(url), nil
	if m.URL != url {
		m.SealedURL = s.Seal.Seal(mirrorURL, m.ID, []byte(url))
	}
}

// MirrorURL is the address with its credentials, for pushes only.
func MirrorURL(s *db.Store, m PushMirror) (string, error) {
	if m.SealedURL == nil {
		return m.URL, nil
	}
	url, err := s.Seal.Open(mirrorURL, m.ID, m.SealedURL)
	return string(url), err
}

// setMirrorKey gives the mirror a pair of keys, of which only the public one is ever shown.
func setMirrorKey(s *db.Store, m *PushMirror, public string, private []byte) {
	m.PublicKey, m.SealedKey = &public, s.Seal.Seal(mirrorKey, m.ID, private)
}

// maskCredentials is an address as it may be shown: https://*****:*****@host/. Unlike that of a hook, the name in it is
// masked as well (gaps §12.4).
func maskCredentials(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return url
	}
	masked := "*****"
	if strings.Contains(rest[:at], ":") {
		masked += ":*****"
	}
	return scheme + "://" + masked + rest[at:]
}

// maxMirrors is how many push mirrors one project may have (gaps §12.4).
const maxMirrors = 10

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
		case n >= maxMirrors:
			return fault.Invalid("base", fmt.Sprintf("Maximum number of push mirrors (%d) exceeded", maxMirrors))
		}
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		if m, err = NewPushMirror(ctx, st, *c.ProjectID); err != nil {
			return err
		}
		setMirrorURL(st, &m, url)
		var wrong check.Problems
		wrong.On("url", findURLProblem(setting.OutboundPolicy(settings), url)...)
		if err := fill(&m); err != nil {
			return err
		}
		if err := completeMirror(st, &m, &wrong); err != nil {
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
		return completeMirror(st, m, &check.Problems{})
	})
}

// findURLProblem says why nothing may be pushed to an address, in the words of the public service; it says nothing if it may.
func findURLProblem(policy outbound.Policy, url string) []string {
	scheme, _, _ := strings.Cut(url, "://")
	switch {
	case strings.ContainsAny(url, "\r\n"):
		return []string{"is blocked: URI is invalid, it has line breaks"}
	case outbound.Git[strings.ToLower(scheme)] == "":
		return []string{"is blocked: Only allowed schemes are ssh, git, http, https"}
	case strings.Contains(maskCredentials(url), "*****") && maskCredentials(url) == url:
		return []string{"is blocked: ***** stands for credentials, and is none"} // as answers show them
	case policy.AdmitsBy(outbound.Git, url):
		return nil
	case (outbound.Policy{Local: true}).AdmitsBy(outbound.Git, url):
		return []string{"is blocked: Requests to the local network are not allowed"}
	}
	return []string{"is blocked: URI is invalid"}
}

// completeMirror says what else is wrong with what a mirror has become, and gives it keys if it is to have some.
func completeMirror(st *db.Store, m *PushMirror, wrong *check.Problems) error {
	if m.MirrorBranchRegex != nil && wrong.Fits("mirror_branch_regex", *m.MirrorBranchRegex, check.LongestRegex) {
		if err := check.Regex(*m.MirrorBranchRegex); err != nil {
			wrong.On("mirror_branch_regex", "not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	if err := wrong.Err(); err != nil || m.AuthMethod != ByKey || m.PublicKey != nil {
		return err
	}
	public, private, err := newKeyPair()
	if err == nil {
		setMirrorKey(st, m, public, private)
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

// PublicKeyOf is the public key that the receiver of a mirror has to know.
func PublicKeyOf(m PushMirror) (string, error) {
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

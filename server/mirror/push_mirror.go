package mirror

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

// PushMirror is a repository elsewhere that the branches of a project are pushed to (spec 1 §2.10,
// gaps §12.4). Its credentials are sealed: setMirrorURL and setMirrorKey write them, MirrorURL
// reads them.
type PushMirror struct {
	ID         int64   `db:"id,auto" json:"id"`
	ProjectID  int64   `db:"project_id" json:"-"`
	Enabled    bool    `db:"enabled" json:"enabled"`
	URL        string  `db:"url" json:"url"` // as it is shown: with masks for what is secret
	SealedURL  []byte  `db:"sealed_url" json:"-"`
	AuthMethod string  `db:"auth_method" json:"auth_method"` // password, ssh_public_key
	PublicKey  *string `db:"public_key" json:"-"`
	SealedKey  []byte  `db:"sealed_key" json:"-"`
	// none, as long as there is nothing to push
	UpdateStatus           string     `db:"update_status,auto" json:"update_status"`
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

// NewPushMirror returns a disabled mirror. It has its id already, because secrets are sealed for
// its row.
func NewPushMirror(ctx context.Context, s *db.Store, projectID int64) (PushMirror, error) {
	id, err := s.NextID(ctx, "push_mirrors")
	return PushMirror{ID: id, ProjectID: projectID, AuthMethod: ByPassword}, err
}

// PushMirrors returns the push mirrors of a project. New ones come from NewPushMirror.
func PushMirrors(s *db.Store, c db.Container) db.Held[PushMirror] {
	return db.NewHeld[PushMirror](s, c, "push_mirrors")
}

// Where the secrets of a mirror are, for their seals.
const (
	mirrorURL = "push_mirrors.sealed_url"
	mirrorKey = "push_mirrors.sealed_key"
)

// setMirrorURL sets the address, and seals it if it contains a name or password.
func setMirrorURL(s *db.Store, m *PushMirror, url string) {
	m.URL, m.SealedURL = outbound.MaskCredentials(url), nil
	if m.URL != url {
		m.SealedURL = s.Seal.Seal(mirrorURL, m.ID, []byte(url))
	}
}

// MirrorURL returns the address with its credentials. It is for pushes only.
func MirrorURL(s *db.Store, m PushMirror) (string, error) {
	if m.SealedURL == nil {
		return m.URL, nil
	}
	url, err := s.Seal.Open(mirrorURL, m.ID, m.SealedURL)
	return string(url), err
}

// setMirrorKey sets a pair of keys, of which only the public one is ever shown.
func setMirrorKey(s *db.Store, m *PushMirror, public string, private []byte) {
	m.PublicKey, m.SealedKey = &public, s.Seal.Seal(mirrorKey, m.ID, private)
}

// maxMirrors is how many push mirrors a project may have (gaps §12.4).
const maxMirrors = 10

// CreatePushMirror creates a push mirror of a project to url; fill completes it (spec 1 §4.8, gaps
// §12.4).
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
		if text := setting.OutboundPolicy(settings).FindProblem(outbound.Git, url); text != "" {
			wrong.On("url", text)
		}
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

// ChangePushMirror applies change to a push mirror of a project and stores it. The address cannot
// change.
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

// completeMirror adds the remaining problems of a mirror to wrong and returns them as an error. It
// makes keys for a mirror that needs some.
func completeMirror(st *db.Store, m *PushMirror, wrong *check.Problems) error {
	if m.MirrorBranchRegex != nil && wrong.Fits("mirror_branch_regex", *m.MirrorBranchRegex, check.MaxRegexLength) {
		if err := check.Regex(*m.MirrorBranchRegex); err != nil {
			wrong.On("mirror_branch_regex",
				"not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
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

// newKeyPair returns a new pair of keys: the line for the receiver, and a private key file for ssh.
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

// PublicKeyOf returns the public key that the receiver of a mirror must know.
func PublicKeyOf(m PushMirror) (string, error) {
	if m.AuthMethod != ByKey || m.PublicKey == nil {
		return "", fault.NotFound("")
	}
	return *m.PublicKey, nil
}

// PushToMirror would push to a mirror. It is not implemented: this server has no repositories yet.
func PushToMirror(m PushMirror) error {
	if !m.Enabled {
		return fault.BadRequest("Cannot proceed with the push mirroring. Please verify your mirror configuration.").In(
			fault.Text,
		)
	}
	return fault.NotImplemented("a push needs the repository, which this server does not have yet")
}

package mirror

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
)

// PushMirror is a repository elsewhere that the branches of a project are pushed to (spec 1 §2.10,
// gaps §12.4). Its credentials are sealed: setMirrorURL and makeKeys write them, MirrorURL
// and open read them.
type PushMirror struct {
	ID         int64  `db:"id,auto" json:"id"`
	ProjectID  int64  `db:"project_id" json:"-"`
	Enabled    bool   `db:"enabled" json:"enabled"`
	URL        string `db:"url" json:"url"` // as it is shown: with masks for what is secret
	SealedURL  []byte `db:"sealed_url" json:"-"`
	AuthMethod string `db:"auth_method" json:"auth_method"` // password, ssh_public_key
	SSH
	// none, scheduled, started, finished, failed, to_retry
	UpdateStatus           string     `db:"update_status,auto" json:"update_status"`
	LastError              *string    `db:"last_error,auto" json:"last_error"`
	LastUpdateAt           *time.Time `db:"last_update_at,auto" json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `db:"last_update_started_at,auto" json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `db:"last_successful_update_at,auto" json:"last_successful_update_at"`
	OnlyProtectedBranches  bool       `db:"only_protected_branches" json:"only_protected_branches"`
	KeepDivergentRefs      bool       `db:"keep_divergent_refs" json:"keep_divergent_refs"`
	MirrorBranchRegex      *string    `db:"mirror_branch_regex" json:"mirror_branch_regex"`
	Schedule
	CreatedAt time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
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
	return PushMirror{ID: id, ProjectID: projectID, AuthMethod: ByPassword, SSH: SSH{HostKeys: []string{}}}, err
}

// PushMirrors returns the push mirrors of a project. New ones come from NewPushMirror.
func PushMirrors(s *db.Store, c db.Container) db.Held[PushMirror] {
	return db.NewHeld[PushMirror](s, c, "push_mirrors")
}

// mirrorURL says where the address of a mirror is, for its seal.
const mirrorURL = "push_mirrors.sealed_url"

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

// PublicKeyOf returns the public key that the receiver of a mirror must know.
func PublicKeyOf(m PushMirror) (string, error) {
	if m.AuthMethod != ByKey {
		return "", fault.NotFound("")
	}
	return m.publicKey()
}

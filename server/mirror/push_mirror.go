package mirror

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
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
	// none, scheduled, started, finished, failed, to_retry
	UpdateStatus           string     `db:"update_status,auto" json:"update_status"`
	LastError              *string    `db:"last_error,auto" json:"last_error"`
	LastUpdateAt           *time.Time `db:"last_update_at,auto" json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `db:"last_update_started_at,auto" json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `db:"last_successful_update_at,auto" json:"last_successful_update_at"`
	OnlyProtectedBranches  bool       `db:"only_protected_branches" json:"only_protected_branches"`
	KeepDivergentRefs      bool       `db:"keep_divergent_refs" json:"keep_divergent_refs"`
	MirrorBranchRegex      *string    `db:"mirror_branch_regex" json:"mirror_branch_regex"`
	HostKeys               []string   `db:"host_keys" json:"-"` // as "type key"; see Fingerprints
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
	return PushMirror{ID: id, ProjectID: projectID, AuthMethod: ByPassword, HostKeys: []string{}}, err
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

// setMirrorKey sets a pair of keys, and only the public one is ever shown.
func setMirrorKey(s *db.Store, m *PushMirror, public string, private []byte) {
	m.PublicKey, m.SealedKey = &public, s.Seal.Seal(mirrorKey, m.ID, private)
}

// PublicKeyOf returns the public key that the receiver of a mirror must know.
func PublicKeyOf(m PushMirror) (string, error) {
	if m.AuthMethod != ByKey || m.PublicKey == nil {
		return "", fault.NotFound("")
	}
	return *m.PublicKey, nil
}

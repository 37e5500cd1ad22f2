package transfer

import (
	"context"
	"strings"
	"time"

	"hew/server/db"
)

// PushMirror is where the branches of a project are pushed to (spec 1 §2.10, gaps §12.4). Its credentials are sealed: use
// SetMirrorURL and SetMirrorKey, and MirrorURL to read.
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

// SetMirrorURL gives the mirror its address, and seals it if there is somebody's name or password in it.
func SetMirrorURL(s *db.Store, m *PushMirror, url string) {
	m.URL, m.SealedURL = MaskCredentials(url), nil
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

// SetMirrorKey gives the mirror a pair of keys, of which only the public one is ever shown.
func SetMirrorKey(s *db.Store, m *PushMirror, public string, private []byte) {
	m.PublicKey, m.SealedKey = &public, s.Seal.Seal(mirrorKey, m.ID, private)
}

// MaskCredentials is an address as it may be shown: https://*****:*****@host/. Unlike that of a hook, the name in it is
// masked as well (gaps §12.4).
func MaskCredentials(url string) string {
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

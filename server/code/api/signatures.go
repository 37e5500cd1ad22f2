package api

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"hew/server/code"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// signatures serves what is known about the signatures of commits and tags (more-2 §8.4).
type signatures struct{}

func (a signatures) routes() []rest.Route {
	read := scope.ForProject(policy.ReadCode, "read_repository")
	const base = "/projects/{id}/repository/"
	return []rest.Route{
		rest.Get(base+"commits/{sha}/signature", read, a.ofCommit),
		rest.Get(base+"tags/{tag_name}/signature", read, a.ofTag),
	}
}

// signatureView has the fields that all signatures have, and those of one type.
type signatureView struct {
	Type         string `json:"signature_type"`
	Status       string `json:"verification_status"`
	CommitSource string `json:"commit_source,omitempty"`
	*gpgView
	*sshView
	*certificateView
}

type gpgView struct {
	RowID        *int64  `json:"gpg_key_id"`
	PrimaryKeyID string  `json:"gpg_key_primary_keyid"`
	UserName     *string `json:"gpg_key_user_name"`
	UserEmail    *string `json:"gpg_key_user_email"`
	SubkeyID     *string `json:"gpg_key_subkey_id"`
}

type sshView struct {
	Key *people.SSHKey `json:"key"`
}

type certificateView struct {
	Certificate *x509View `json:"x509_certificate"`
}

type x509View struct {
	ID           int64      `json:"id"`
	Subject      string     `json:"subject"`
	KeyID        string     `json:"subject_key_identifier"`
	Email        string     `json:"email"`
	SerialNumber string     `json:"serial_number"`
	Status       string     `json:"certificate_status"`
	Issuer       issuerView `json:"x509_issuer"`
}

type issuerView struct {
	ID      int64  `json:"id"`
	Subject string `json:"subject"`
	KeyID   string `json:"subject_key_identifier"`
	CRL     string `json:"crl_url"`
}

func (a signatures) view(s code.Signature) signatureView {
	v := signatureView{Type: s.Type, Status: s.Status}
	switch s.Type {
	case "PGP":
		v.gpgView = &gpgView{PrimaryKeyID: s.GPG.KeyID}
		if s.GPG.RowID != 0 {
			v.RowID, v.UserName, v.UserEmail = &s.GPG.RowID, &s.GPG.UserName, &s.GPG.UserID
		}
		if s.GPG.SubkeyID != "" {
			v.SubkeyID = &s.GPG.SubkeyID
		}
	case "SSH":
		v.sshView = &sshView{s.SSH}
	case "X509":
		v.certificateView = &certificateView{}
		if s.X509 != nil {
			v.Certificate = newX509View(*s.X509)
		}
	}
	return v
}

func newX509View(c code.Certificate) *x509View {
	v := &x509View{
		ID: numberOf(c.Raw), Subject: c.Subject.String(), KeyID: colons(c.SubjectKeyId),
		SerialNumber: c.SerialNumber.String(), Status: "good",
		Issuer: issuerView{
			ID: numberOf(c.RawIssuer), Subject: c.Certificate.Issuer.String(), KeyID: colons(c.AuthorityKeyId),
			CRL: firstOf(c.CRLDistributionPoints),
		},
	}
	v.Email = firstOf(c.EmailAddresses)
	return v
}

// numberOf returns the id of a certificate, which has no row: from a hash of its bytes.
func numberOf(raw []byte) int64 {
	sum := sha256.Sum256(raw)
	return int64(binary.BigEndian.Uint32(sum[:]) >> 1)
}

// colons writes bytes as BC:BC:BC.
func colons(raw []byte) string {
	parts := make([]string, len(raw))
	for i, b := range raw {
		parts[i] = strings.ToUpper(hex.EncodeToString([]byte{b}))
	}
	return strings.Join(parts, ":")
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (a signatures) ofCommit(ctx context.Context, s scope.InProject, in commitSHA) (signatureView, error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return signatureView{}, err
	}
	v, err := rest.Show(a.view)(g.CommitSignature(ctx, c.ID))
	v.CommitSource = "gitaly"
	return v, err
}

func (a signatures) ofTag(ctx context.Context, s scope.InProject, in tagName) (signatureView, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return signatureView{}, err
	}
	b, err := g.FindBranch(ctx, "Tag", code.Tags+in.TagName)
	if err != nil {
		return signatureView{}, err
	}
	return rest.Show(a.view)(g.TagSignature(ctx, b.Ref))
}

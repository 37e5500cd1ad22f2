package analytics

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"hew/server/tree"
)

// tokenLifetime is how long the engine accepts a token (transfer.md §7).
const tokenLifetime = 180 * time.Second

// claims are what a token says to the engine.
type claims struct {
	IssuedAt     int64   `json:"iat"` // seconds
	Expires      int64   `json:"exp"`
	AppID        string  `json:"appId"` // chooses the data of the project
	Issuer       string  `json:"iss"`
	ProjectToken *string `json:"gitlabToken"` // by which the engine reads the funnels
}

// sign returns a JSON Web Token (RFC 7519) with a signature by HS256.
func sign(key string, c claims) (string, error) {
	body, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	base64url := base64.RawURLEncoding.EncodeToString
	signed := base64url([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + base64url(body)
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(signed))
	return signed + "." + base64url(mac.Sum(nil)), nil
}

// claimsFor returns what a token for a project says. The issuer is the host of this instance.
func claimsFor(p tree.Project, base string, projectToken *string, now time.Time) claims {
	issuer := base
	if u, err := url.Parse(base); err == nil {
		issuer = u.Hostname()
	}
	return claims{
		IssuedAt: now.Unix(), Expires: now.Add(tokenLifetime).Unix(), AppID: fmt.Sprintf("gitlab_project_%d", p.ID),
		Issuer: issuer, ProjectToken: projectToken,
	}
}

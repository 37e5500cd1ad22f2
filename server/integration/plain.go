package integration

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/integration/send"
	"hew/server/outbound"
)

// findIntegration returns an integration with the settings in effect.
func findIntegration(ctx context.Context, s *db.Store, id int64) (Integration, error) {
	return db.One[Integration](ctx, s, "Integration", selectIntegrations+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// withSecrets returns the integration whose secrets count: the one that i inherits from, or i.
func withSecrets(ctx context.Context, s *db.Store, i Integration) (Integration, error) {
	if i.OriginID == nil {
		return i, nil
	}
	return findIntegration(ctx, s, *i.OriginID)
}

// plainSettings returns the settings in effect with the secrets in plain text, and what must not
// appear in records: the secrets, and the credentials that are made of them.
func plainSettings(ctx context.Context, s *db.Store, i Integration) (send.Settings, []string, error) {
	owner, err := withSecrets(ctx, s, i)
	if err != nil {
		return nil, nil, err
	}
	of, _ := catalogue.IntegrationBySlug(i.Slug)
	values, secrets := send.Settings{}, []string{}
	for _, p := range of.Parameters {
		if !p.Secret {
			values[p.Name] = i.Property(p)
			if text, ok := values[p.Name].(string); ok && p.IsAddress() {
				secrets = append(secrets, credentialsIn(text)...)
			}
			continue
		}
		sealed, set := owner.Secrets[p.Name]
		if !set {
			values[p.Name] = p.Default
			continue
		}
		secret, err := s.Seal.Open(integrationSecret+p.Name, owner.ID, sealed)
		if err != nil {
			return nil, nil, err
		}
		values[p.Name] = string(secret)
		secrets = append(secrets, string(secret))
		if p.IsAddress() {
			secrets = append(secrets, partsOf(string(secret))...)
		}
	}
	user, _ := values["username"].(string)
	for _, secret := range slices.Clone(secrets) {
		for _, pair := range []string{user + ":" + secret, secret + ":X"} { // Campfire wants a password with a token
			secrets = append(secrets, base64.StdEncoding.EncodeToString([]byte(pair)))
		}
	}
	return values, secrets, nil
}

// minSegment is the length in bytes from which a segment of the path of a secret address is taken
// for the secret in it.
const minSegment = 12

// partsOf returns the parts of a secret address that a service can repeat.
func partsOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	parts := append(credentialsIn(address), u.RequestURI(), u.EscapedPath(), u.RawQuery)
	for segment := range strings.SplitSeq(u.Path, "/") {
		if len(segment) >= minSegment {
			parts = append(parts, segment)
		}
	}
	return parts
}

// credentialsIn returns the password of an address.
func credentialsIn(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return nil
	}
	password, _ := u.User.Password()
	return []string{password}
}

// isRefused reports whether a request was not sent because of where it leads.
func isRefused(err error) bool {
	var refused *outbound.RefusedError
	var own refusal
	return errors.As(err, &refused) || errors.As(err, &own)
}

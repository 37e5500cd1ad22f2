package integration

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"

	"hew/server/check"
	"hew/server/db"
	"hew/server/secret"
)

// The lengths of what is made at random, in bytes: a key, and the end of an address (gaps §13.2).
const (
	alertKeyBytes      = 16
	alertEndpointBytes = 8
)

// randomHex is a text of so many random bytes.
func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails, see its documentation
	return hex.EncodeToString(b)
}

// KeyedAlerts is an alert integration with the key that whoever sends it alerts has to show. The key is not kept.
type KeyedAlerts struct {
	AlertIntegration
	Key string
}

// renew gives an alert integration another key.
func (k *KeyedAlerts) renew() {
	k.Key = randomHex(alertKeyBytes)
	digest := secret.Digest(k.Key)
	k.Digest = digest[:]
}

// CreateAlertIntegration makes an alert integration with an address and a key of its own.
func CreateAlertIntegration(
	ctx context.Context, st *db.Store, c db.Container, fill func(*AlertIntegration) error,
) (k KeyedAlerts, err error) {
	k.ProjectID, k.Endpoint = c.ID(), randomHex(alertEndpointBytes)
	k.renew()
	if err := db.Checked(fill, checkAlertIntegration)(st, &k.AlertIntegration); err != nil {
		return k, err
	}
	k.AlertIntegration, err = AlertIntegrations(st, c).Create(ctx, k.AlertIntegration)
	return k, err
}

// ChangeAlertIntegration lets change edit an alert integration, and stores the outcome.
func ChangeAlertIntegration(
	ctx context.Context, st *db.Store, c db.Container, id int64, change func(*AlertIntegration) error,
) (AlertIntegration, error) {
	return AlertIntegrations(st, c).Change(ctx, db.ByID(id), db.Checked(change, checkAlertIntegration))
}

// ResetAlertKey gives an alert integration another key; the old one is good for nothing from then on.
func ResetAlertKey(ctx context.Context, st *db.Store, c db.Container, id int64) (k KeyedAlerts, err error) {
	k.AlertIntegration, err = AlertIntegrations(st, c).Change(ctx, db.ByID(id), func(_ *db.Store, i *AlertIntegration) error {
		k.renew()
		i.Digest = k.Digest
		return nil
	})
	return k, err
}

// checkAlertIntegration says what is wrong with an alert integration, if anything: all of it at once.
func checkAlertIntegration(i AlertIntegration) error {
	var wrong check.Problems
	wrong.Fits("name", i.Name, 255)
	switch {
	case i.APIURL == nil && i.Type == Prometheus:
		wrong.On("api_url", check.Blank)
	case i.APIURL != nil && !isHTTP(*i.APIURL):
		wrong.On("api_url", "must be a valid URL")
	case i.APIURL != nil:
		wrong.Fits("api_url", *i.APIURL, 255)
	}
	return wrong.Err()
}

// isHTTP says whether a text is an address on the web.
func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

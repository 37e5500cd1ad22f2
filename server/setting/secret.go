package setting

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// settingsID is the id of the only row of settings.
const settingsID = 1

// SealSecret returns the value of a secret setting as it is stored.
func SealSecret(st *db.Store, key, value string) []byte {
	return st.Seal.Seal(secretPlace(key), settingsID, []byte(value))
}

// OpenSecret returns the value of a secret setting from its stored form, "" of one that is not set.
func OpenSecret(st *db.Store, key string, sealed []byte) (string, error) {
	if sealed == nil {
		return "", nil
	}
	value, err := st.Seal.Open(secretPlace(key), settingsID, sealed)
	if err != nil {
		return "", fmt.Errorf("setting %s: %w", key, err)
	}
	return string(value), nil
}

// ReadSecret returns the value of a secret setting, "" if it is not set.
func ReadSecret(ctx context.Context, st *db.Store, key string) (string, error) {
	stored, err := db.Value[map[string][]byte](ctx, st,
		`select secrets from application_settings where id = @id`, pgx.NamedArgs{"id": settingsID})
	if err != nil {
		return "", err
	}
	return OpenSecret(st, key, stored[key])
}

// secretPlace is where a secret setting is stored, for its seal.
func secretPlace(key string) string { return "application_settings." + key }

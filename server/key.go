package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/seal"
	"hew/server/tree"
)

// CheckKey fails if the store has another key than the one that the database was sealed under: what
// is sealed from now on could not be read by those who have the right one. A database without
// secrets takes any key, and keeps its digest from then on.
func CheckKey(ctx context.Context, s *db.Store) error {
	digest := s.Seal.KeyDigest()
	stored, err := db.Value[[]byte](ctx, s, `select sealing_key_digest from application_settings where id = 1`, nil)
	if err != nil || bytes.Equal(stored, digest) {
		return err
	}
	if stored == nil {
		err = openAnySecret(ctx, s)
	} else if sealed, failed := holdsSecrets(ctx, s); failed != nil {
		return failed
	} else if sealed {
		err = errors.New("its digest differs from that in application_settings")
	}
	if err != nil {
		return fmt.Errorf(
			"the secrets of this database were sealed under another key; give it by HEWD_SECRET_KEY: %w", err,
		)
	}
	return s.Exec(ctx, `update application_settings set sealing_key_digest = @digest where id = 1`,
		pgx.NamedArgs{"digest": digest})
}

// openAnySecret fails if the store has another key than a database of a version that kept no digest
// of it. It opens the token of a group; a database without one takes any key.
func openAnySecret(ctx context.Context, s *db.Store) error {
	g, err := db.One[tree.Group](ctx, s, "Group", `
		select n.* from namespaces n where n.runners_token is not null order by n.id limit 1`, nil)
	if err == nil {
		_, err = tree.GroupRegistrationToken(s, g)
	}
	return fault.IgnoreNotFound(err)
}

// sealedColumns are the columns, by table, that hold what was sealed: bytes, or JSON with bytes in
// it.
var sealedColumns = [][2]string{
	{"analytics_tokens", "sealed_token"},
	{"application_settings", "secrets"},
	{"gist_imports", "sealed_token"},
	{"hooks", "custom_headers"},
	{"hooks", "sealed_url"},
	{"hooks", "token"},
	{"hooks", "url_variables"},
	{"integrations", "secrets"},
	{"job_variables", "sealed"},
	{"namespaces", "runners_token"},
	{"pipeline_requests", "sealed"},
	{"pipeline_schedule_variables", "sealed"},
	{"pipeline_triggers", "sealed"},
	{"pipeline_variables", "sealed"},
	{"project_exports", "upload"},
	{"project_imports", "sealed_url"},
	{"projects", "runners_token"},
	{"pull_mirrors", "sealed_key"},
	{"pull_mirrors", "sealed_url"},
	{"push_mirrors", "sealed_key"},
	{"push_mirrors", "sealed_url"},
	{"terraform_state_versions", "sealed"},
	{"token_keys", "sealed"},
	{"variables", "sealed"},
}

// holdsSecrets reports whether anything in the database is sealed.
func holdsSecrets(ctx context.Context, s *db.Store) (bool, error) {
	var any []string
	for _, c := range sealedColumns {
		any = append(any, fmt.Sprintf(`exists (
			select from %s where to_jsonb(%s) not in ('null', '{}', '[]'))`, c[0], c[1]))
	}
	return db.Value[bool](ctx, s, `select `+strings.Join(any, " or "), nil)
}

// createKey creates the key file of a database in which nothing is sealed. For any other one it
// would hide that the right file was lost.
func (c Config) createKey(ctx context.Context, s *db.Store) (*seal.Box, error) {
	switch lost, err := holdsSecrets(ctx, s); {
	case err != nil:
		return nil, fmt.Errorf("look for secrets in the database: %w", err)
	case lost:
		return nil, fmt.Errorf("the key file %s is missing, and this database has secrets that were sealed under it: "+
			"restore the file from a backup, or set HEWD_SECRET_KEY to the key", seal.KeyFile(c.DataDir))
	}
	return seal.Create(c.DataDir)
}

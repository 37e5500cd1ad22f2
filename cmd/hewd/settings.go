package main

import (
	"github.com/spf13/cobra"

	"hew/server"
	"hew/server/blob"
)

// settings declares flags whose values can also come from the environment. The flag wins.
type settings struct {
	cmd    *cobra.Command
	getenv func(string) string
}

// fromEnvironment annotates a flag with the variable that sets it.
const fromEnvironment = "environment"

// text declares a flag of a string. The help shows the default, then the variable, never its value,
// which may be a secret.
func (s settings) text(field *string, flag, variable, standard, help string) {
	if standard != "" {
		help += " (default " + standard + ")"
	}
	s.cmd.Flags().StringVar(field, flag, standard, help+" ["+variable+"]")
	// Otherwise it is printed again after the variable.
	s.cmd.Flags().Lookup(flag).DefValue = ""
	_ = s.cmd.Flags().SetAnnotation(flag, fromEnvironment, []string{variable}) // fails only without the flag
	if value := s.getenv(variable); value != "" {
		*field = value
	}
}

// listen declares the flag that both serve and health have.
func (s settings) listen(field *string, help string) {
	s.text(field, "listen", "HEWD_LISTEN", "127.0.0.1:8080", help)
}

// database declares the flags of serve, migrate and blob that say where the data is.
func (s settings) database(c *server.Config) {
	s.text(&c.DatabaseURL, "database-url", "HEWD_DATABASE_URL", "",
		"use the Postgres at `URL` (default a private one in the data directory)")
	s.text(&c.DataDir, "data-dir", "HEWD_DATA_DIR", ".hewd",
		"keep the private Postgres and the key file in `DIRECTORY`")
	s.text(&c.SecretKey, "secret-key", "HEWD_SECRET_KEY", "",
		"encrypt stored secrets with `KEY` (default a key file in the data directory)")
	s.text(&c.PGBin, "pg-bin", "HEWD_PG_BIN", "",
		"run the Postgres server binaries in `DIRECTORY` (default the first found in PATH or where packages install "+
			"them)")
	s.text(&c.Git, "git", "HEWD_GIT", "", "run the git program at `PATH` (default the first found in PATH)")
	s.text(&c.CacheDir, "cache-dir", "HEWD_CACHE_DIR", "",
		"keep copies of repositories in `DIRECTORY`, which can be deleted at any time (default cache in the data directory)")
	s.cmd.Flags().BoolVar(&c.Dev, "dev", false,
		"run the private Postgres without durability: faster, but a crash can lose data")
}

// blobs declares the flags of serve and blob that say the S3 server for large content is.
func (s settings) blobs(c *blob.Config) {
	s.text(&c.URL, "blob-url", "HEWD_BLOB_URL", "",
		"store large content on the S3 server at `URL`: s3://BUCKET?endpoint=https://HOST&region=REGION&prefix=PREFIX "+
			"(default in the database)")
	s.text(&c.AccessKey, "blob-access-key", "HEWD_BLOB_ACCESS_KEY", "",
		"sign in to the S3 server with access key `KEY` (default that of AWS_ACCESS_KEY_ID)")
	s.text(&c.SecretKey, "blob-secret-key", "HEWD_BLOB_SECRET_KEY", "",
		"sign in to the S3 server with secret key `KEY` (default that of AWS_SECRET_ACCESS_KEY)")
}

// directory declares the flags of the LDAP server that groups can be linked to.
func (s settings) directory(c *server.Config) {
	l := &c.LDAP
	s.text(&l.URL, "ldap-url", "HEWD_LDAP_URL", "",
		"synchronize linked groups with the LDAP server at `URL`: ldap://, ldaps:// or ldap+starttls://HOST[:PORT]")
	s.text(&l.Provider, "ldap-provider", "HEWD_LDAP_PROVIDER", "ldapmain",
		"set the name of the LDAP server in links and identities to `NAME`")
	s.text(&l.Base, "ldap-base", "HEWD_LDAP_BASE", "", "search below the entry `DN`, such as dc=example,dc=com")
	s.text(&l.BindDN, "ldap-bind-dn", "HEWD_LDAP_BIND_DN", "", "sign in to the LDAP server as `DN` (default anonymous)")
	s.text(&l.Password, "ldap-password", "HEWD_LDAP_PASSWORD", "", "sign in to the LDAP server with `PASSWORD`")
	s.text(&l.UID, "ldap-uid", "HEWD_LDAP_UID", "uid", "read user names from `ATTRIBUTE`")
	s.text(&l.CAFile, "ldap-ca-file", "HEWD_LDAP_CA_FILE", "",
		"trust the certificate authorities in `FILE`, as PEM (default those of the system)")
}

// proxies declares the flag of the reverse proxies.
func (s settings) proxies(c *server.Config) {
	s.text(&c.TrustedProxies, "trusted-proxies", "HEWD_TRUSTED_PROXIES", "",
		"take the address of a client from X-Forwarded-For if the request comes from one of the `NETWORKS`, such as "+
			"10.0.0.0/8,::1 (default none)")
}

// mail declares the flag of the mail server.
func (s settings) mail(c *server.Config) {
	s.text(&c.Mail, "smtp-url", "HEWD_SMTP_URL", "",
		"send mail by the server at `URL`: smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS, with &tls=none for no "+
			"encryption, or smtps://… (default send no mail)")
}

package blob

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"hew/server/db"
)

// Config says where blobs are. The zero value is Postgres alone.
type Config struct {
	// URL is s3://BUCKET, with the parameters endpoint (an http or https URL; Amazon's), region
	// (us-east-1) and prefix of the names of objects (none). If it is empty, there is no S3
	// backend.
	URL string
	// AccessKey and SecretKey are credentials for it. If both are empty, those in the AWS variables
	// of the environment are used, such as AWS_ACCESS_KEY_ID.
	AccessKey, SecretKey string
	// Backend is where new content is stored, postgres or s3 (s3 if there is a URL).
	Backend string
}

// Configure has a database's blobs stored as c says. It does not contact S3. Without it, they are
// in Postgres.
func Configure(h *db.Store, c Config) error {
	s, err := c.stores()
	if err != nil {
		return err
	}
	s.by[inPostgres] = postgres{h}
	h.Attach(storesKey{}, s)
	return nil
}

// Check returns what is wrong with a configuration, before there is a database.
func (c Config) Check() error {
	_, err := c.stores()
	return err
}

// stores returns the backends. The one in Postgres has no database yet.
func (c Config) stores() (*stores, error) {
	s := &stores{by: map[string]backend{inPostgres: postgres{}}, put: inPostgres}
	if c.URL != "" {
		remote, err := c.open()
		if err != nil {
			return nil, err
		}
		s.by[inS3], s.put = remote, inS3
	}
	s.put = cmp.Or(c.Backend, s.put)
	switch {
	case s.put != inPostgres && s.put != inS3:
		return nil, fmt.Errorf("invalid blob backend %q: set --blob-backend or HEWD_BLOB_BACKEND to postgres or s3",
			s.put)
	case s.by[s.put] == nil:
		return nil, errNoURL
	}
	return s, nil
}

var errNoURL = errors.New(
	"there is no address of the S3 server: set --blob-url or HEWD_BLOB_URL, such as " + urlExample,
)

const urlExample = "s3://BUCKET?endpoint=https://HOST&region=REGION"

// open returns the S3 backend.
func (c Config) open() (*s3, error) {
	u, err := url.Parse(c.URL)
	switch {
	case err != nil:
		// The text of err would show the URL, and what somebody has put in it.
		return nil, fmt.Errorf("the blob URL cannot be read: set HEWD_BLOB_URL to a URL such as %s", urlExample)
	case u.User != nil:
		return nil, errors.New("the blob URL has credentials in it: " +
			"remove them, and set HEWD_BLOB_ACCESS_KEY and HEWD_BLOB_SECRET_KEY instead")
	case u.Scheme != "s3" || u.Host == "" || strings.Trim(u.Path, "/") != "":
		return nil, fmt.Errorf("invalid blob URL %q: set HEWD_BLOB_URL to a URL such as %s", c.URL, urlExample)
	}
	parameters := u.Query()
	for name := range parameters {
		if !slices.Contains([]string{"endpoint", "region", "prefix"}, name) {
			return nil, fmt.Errorf("the blob URL has an unknown parameter %q: use endpoint, region and prefix", name)
		}
	}
	endpoint := cmp.Or(parameters.Get("endpoint"), "https://s3.amazonaws.com")
	e, err := url.Parse(endpoint)
	if err != nil || e.Scheme != "http" && e.Scheme != "https" || e.Host == "" || strings.Trim(e.Path, "/") != "" ||
		e.User != nil {
		return nil, errors.New("the endpoint in the blob URL is not an http or https URL without credentials " +
			"and path, such as https://minio.example.com:9000")
	}
	keys := credentials.NewStaticV4(c.AccessKey, c.SecretKey, "")
	if c.AccessKey == "" && c.SecretKey == "" {
		keys = credentials.NewEnvAWS()
	}
	client, err := minio.NewCore(e.Host, &minio.Options{
		Creds: keys, Secure: e.Scheme == "https", Region: cmp.Or(parameters.Get("region"), "us-east-1"),
		MaxRetries: 3, // within seconds: a client waits
	})
	if err != nil {
		return nil, fmt.Errorf("open the S3 server at %s: %w", endpoint, err)
	}
	return &s3{client: client, bucket: u.Host, prefix: parameters.Get("prefix"), endpoint: endpoint}, nil
}

// Describe returns where new content is stored, for the log: postgres, or the bucket and its
// endpoint.
func Describe(h *db.Store) string {
	s := storesOf(h)
	if remote, ok := s.by[s.put].(*s3); ok {
		return remote.String()
	}
	return s.put
}

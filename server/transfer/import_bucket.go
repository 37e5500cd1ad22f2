package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"hew/server/outbound"
	"hew/server/setting"
)

// ImportBucket is an object of a bucket on the S3 server, with what reads it.
type ImportBucket struct {
	Region    string `json:"region"`
	Bucket    string `json:"bucket"`
	Key       string `json:"key"` // of the object
	AccessKey string `json:"access_key"`
	SecretKey string `json:"secret_key"`
}

const publicS3 = "https://s3.amazonaws.com"

// CheckS3 returns what is wrong with the address of an S3 server, for the operator.
func CheckS3(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.User != nil || u.RawQuery != "" {
		return errors.New("the address of the S3 server for imports is not an http or https URL without credentials " +
			"and path: set HEWD_IMPORT_S3_ENDPOINT to one such as https://minio.example.com:9000")
	}
	return nil
}

// client returns a client for the bucket. The operator's server may be a local one; any other has
// to be where the settings allow requests to.
func (f Fetcher) client(settings setting.Settings, b ImportBucket) (*minio.Core, error) {
	u, err := url.Parse(cmp.Or(f.S3, publicS3))
	if err != nil {
		return nil, err
	}
	o := outbound.Options{Policy: setting.OutboundPolicy(settings)}
	lookup := minio.BucketLookupAuto
	if f.S3 != "" {
		o.Policy.Local, lookup = true, minio.BucketLookupPath
	}
	return minio.NewCore(u.Host, &minio.Options{
		Creds: credentials.NewStaticV4(b.AccessKey, b.SecretKey, ""), Secure: u.Scheme == "https", Region: b.Region,
		Transport: outbound.Idle(f.Out.Client(o).Transport, outbound.DefaultIdle), BucketLookup: lookup, MaxRetries: 1,
	})
}

// statObject asks what the server says of an object.
func (f Fetcher) statObject(ctx context.Context, settings setting.Settings, b ImportBucket) (head, error) {
	ctx, cancel := context.WithTimeout(ctx, headTime)
	defer cancel()
	c, err := f.client(settings, b)
	if err != nil {
		return head{}, b.explain(err)
	}
	about, err := c.StatObject(ctx, b.Bucket, b.Key, minio.StatObjectOptions{})
	if err != nil {
		return head{}, b.explain(err)
	}
	return head{about.Size, about.ContentType}, nil
}

// openObject returns the content of an object.
func (f Fetcher) openObject(ctx context.Context, settings setting.Settings, b ImportBucket) (io.ReadCloser, error) {
	c, err := f.client(settings, b)
	if err != nil {
		return nil, b.explain(err)
	}
	content, _, _, err := c.GetObject(ctx, b.Bucket, b.Key, minio.GetObjectOptions{})
	if err != nil {
		return nil, b.explain(err)
	}
	return remoteContent{content}, nil
}

// explain returns why an object cannot be read, in words without secrets.
func (b ImportBucket) explain(err error) error {
	var (
		answer  minio.ErrorResponse
		wrapped *url.Error
	)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &wrapped):
		return b.failed(outbound.Plain(err, headTime).Error())
	case errors.As(err, &answer) && (answer.Code == "NoSuchKey" || answer.Code == "NotFound" && answer.Key != ""):
		return sourceError(fmt.Sprintf("File not found '%s' in '%s'", short(b.Key), short(b.Bucket)))
	case errors.As(err, &answer) && answer.Code == "NoSuchBucket":
		return b.failed("the bucket does not exist")
	case errors.As(err, &answer) && (answer.StatusCode == 401 || answer.StatusCode == 403):
		return b.failed("access denied: check access_key_id, secret_access_key, the region and the policy of the bucket")
	case errors.As(err, &answer) && (answer.Code == "InvalidBucketName" || answer.Code == "InvalidArgument"):
		return b.failed(answer.Message)
	case errors.As(err, &answer) && (answer.StatusCode == 301 || answer.StatusCode == 400):
		return b.failed("the server refused the request: check the region")
	}
	return b.failed(err.Error())
}

// failed returns the error of an object that exists and cannot be read.
func (b ImportBucket) failed(why string) error {
	for _, secret := range []string{b.SecretKey, b.AccessKey} {
		if secret != "" {
			why = strings.ReplaceAll(why, secret, "*****")
		}
	}
	return sourceError(fmt.Sprintf("Failed to open '%s' in '%s': %s", short(b.Key), short(b.Bucket), short(why)))
}

// short returns the beginning of a text that others have written.
func short(text string) string {
	runes := []rune(strings.ToValidUTF8(text, "?"))
	return string(runes[:min(len(runes), 300)])
}

package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/minio/minio-go/v7"

	"hew/server/fault"
)

// s3 is the backend that keeps each key as an object of a bucket.
type s3 struct {
	client         *minio.Core
	bucket, prefix string
	endpoint       string
}

// String returns the bucket and where it is.
func (s *s3) String() string { return fmt.Sprintf("bucket %s at %s", s.bucket, s.endpoint) }

func (s *s3) name(key pgtype.UUID) string { return s.prefix + key.String() }

// maxParts is how many parts an object can have, which limits content to 78 GiB.
const maxParts = 10_000

func (s *s3) create(key pgtype.UUID) writer { return &partWriter{s3: s, name: s.name(key)} }

// partWriter writes content of one batch as an object, and more as parts of one.
type partWriter struct {
	*s3
	name   string
	upload string // id of the upload in parts; empty before the first part
	parts  []minio.CompletePart
}

func (w *partWriter) append(ctx context.Context, batch []byte) (err error) {
	sum := sha256.Sum256(batch) // signed, so that the server compares it
	hash := hex.EncodeToString(sum[:])
	if w.upload == "" {
		if len(batch) < batchSize { // the last one, and so the only one
			_, err := w.client.PutObject(ctx, w.bucket, w.name, bytes.NewReader(batch), int64(len(batch)), "", hash,
				minio.PutObjectOptions{DisableContentSha256: true})
			return w.failed("store an object", err)
		}
		w.upload, err = w.client.NewMultipartUpload(ctx, w.bucket, w.name, minio.PutObjectOptions{})
		if err != nil {
			return w.failed("begin an object", err)
		}
	}
	number := len(w.parts) + 1
	if number > maxParts {
		return fault.TooLarge().Because(
			fmt.Errorf("an object on S3 has at most %d parts of %d bytes", maxParts, batchSize))
	}
	part, err := w.client.PutObjectPart(ctx, w.bucket, w.name, w.upload, number, bytes.NewReader(batch),
		int64(len(batch)), minio.PutObjectPartOptions{Sha256Hex: hash, DisableContentSha256: true})
	if err != nil {
		return w.failed(fmt.Sprintf("store part %d of an object", number), err)
	}
	w.parts = append(w.parts, minio.CompletePart{PartNumber: number, ETag: part.ETag})
	return nil
}

func (w *partWriter) finish(ctx context.Context) error {
	if w.upload == "" {
		return nil
	}
	_, err := w.client.CompleteMultipartUpload(ctx, w.bucket, w.name, w.upload, w.parts, minio.PutObjectOptions{})
	return w.failed("complete an object", err)
}

func (s *s3) read(ctx context.Context, key pgtype.UUID, offset int64, p []byte) error {
	var options minio.GetObjectOptions
	if err := options.SetRange(offset, offset+int64(len(p))-1); err != nil {
		return err
	}
	body, _, _, err := s.client.GetObject(ctx, s.bucket, s.name(key), options)
	if err != nil {
		return s.failed("read an object", err)
	}
	defer body.Close()
	_, err = io.ReadFull(body, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errMissing
	}
	return s.failed("read an object", err)
}

func (s *s3) size(ctx context.Context, key pgtype.UUID) (int64, error) {
	about, err := s.client.StatObject(ctx, s.bucket, s.name(key), minio.StatObjectOptions{})
	return about.Size, s.failed("look for an object", err)
}

func (s *s3) remove(ctx context.Context, key pgtype.UUID) error {
	// First the parts: an upload that is completed in between would be an object again.
	err := s.failed("remove the parts of an object", s.client.RemoveIncompleteUpload(ctx, s.bucket, s.name(key)))
	if err == nil || errors.Is(err, errMissing) {
		err = s.failed("remove an object",
			s.client.RemoveObject(ctx, s.bucket, s.name(key), minio.RemoveObjectOptions{}))
	}
	if errors.Is(err, errMissing) {
		return nil
	}
	return err
}

func (s *s3) keys(ctx context.Context) iter.Seq2[pgtype.UUID, error] {
	return func(yield func(pgtype.UUID, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		objects := s.client.Client.ListObjects(
			ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true},
		)
		for o := range objects {
			if o.Err != nil {
				yield(pgtype.UUID{}, s.failed("list the objects", o.Err))
				return
			}
			var key pgtype.UUID
			if key.Scan(strings.TrimPrefix(o.Key, s.prefix)) != nil {
				continue // it is none of ours
			}
			if !yield(key, nil) {
				return
			}
		}
	}
}

// failed returns the error of a request. A server that is away or busy is a fault of its own: the
// client may ask again.
func (s *s3) failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	var answer minio.ErrorResponse
	answered := errors.As(err, &answer) && answer.StatusCode != 0
	switch {
	case answer.Code == "NoSuchKey", answer.Code == "NoSuchUpload", answer.Code == "InvalidRange":
		return errMissing
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s of %s: %w", doing, s, err)
	case !answered, answer.StatusCode >= http.StatusInternalServerError,
		answer.StatusCode == http.StatusTooManyRequests:
		return fault.Unavailable().Because(fmt.Errorf("%s of %s: the server is away: %w", doing, s, err))
	case answer.Code == "NoSuchBucket":
		return fmt.Errorf("%s of %s: the bucket does not exist; create it, or correct HEWD_BLOB_URL: %w", doing, s, err)
	case answer.StatusCode == http.StatusForbidden:
		return fmt.Errorf("%s of %s: the credentials are not accepted or not sufficient; check HEWD_BLOB_ACCESS_KEY, "+
			"HEWD_BLOB_SECRET_KEY and the policy of the bucket: %w", doing, s, err)
	}
	return fmt.Errorf("%s of %s: %w", doing, s, err)
}

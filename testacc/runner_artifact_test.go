package testacc

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// download unpacks what earlier jobs left for this one.
func (j *runningJob) download(ctx context.Context) error {
	for _, d := range j.Dependencies {
		if d.ArtifactsFile == nil {
			continue
		}
		a, err := j.send(ctx, "GET", fmt.Sprintf("/jobs/%d/artifacts?direct_download=true", d.ID),
			map[string]string{"JOB-TOKEN": d.Token}, nil)
		if err != nil {
			return err
		}
		if a.status != http.StatusOK {
			return fmt.Errorf("artifacts of %s: the server answers %d: %s", d.Name, a.status, a.body)
		}
		archive, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
		if err != nil {
			return fmt.Errorf("artifacts of %s: %w", d.Name, err)
		}
		for _, file := range archive.File {
			if err := unpack(file, j.dir); err != nil {
				return fmt.Errorf("artifacts of %s: %w", d.Name, err)
			}
		}
	}
	return nil
}

// unpack writes a file of an archive into a directory.
func unpack(file *zip.File, dir string) error {
	if strings.HasSuffix(file.Name, "/") || !filepath.IsLocal(file.Name) {
		return nil
	}
	to := filepath.Join(dir, file.Name)
	content, err := file.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	return errors.Join(
		err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, text, 0o600), os.Chmod(to, file.Mode().Perm()|0o600))
}

// upload sends the archive and the reports of the job.
func (j *runningJob) upload(ctx context.Context, succeeded bool) error {
	for _, a := range j.Artifacts {
		switch when := cmp.Or(a.When, "on_success"); {
		case when == "on_success" && !succeeded, when == "on_failure" && succeeded:
			continue
		}
		files, err := j.filesOf(ctx, a)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			j.trace.printf("WARNING: no files to upload as %s", a.Type)
			continue
		}
		name, content, err := j.pack(a, files)
		if err != nil {
			return err
		}
		if err := j.uploadFile(ctx, a, name, content); err != nil {
			return err
		}
	}
	return nil
}

// filesOf lists the files of the checkout that an artifact has.
func (j *runningJob) filesOf(ctx context.Context, a artifactOfJob) (files []string, err error) {
	root := os.DirFS(j.dir)
	for _, pattern := range a.Paths {
		pattern = path.Clean(os.Expand(pattern, func(name string) string { return j.values[name] }))
		for _, each := range []string{pattern, pattern + "/**"} { // a directory stands for what is in it
			found, err := doublestar.Glob(root, each, doublestar.WithFilesOnly())
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
	}
	if a.Untracked {
		git := exec.CommandContext(ctx, "git", "ls-files", "-o", "-z")
		git.Dir, git.Env = j.dir, j.bareEnvironment()
		list, err := git.Output()
		if err != nil {
			return nil, err
		}
		files = append(files, strings.FieldsFunc(string(list), func(c rune) bool { return c == 0 })...)
	}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(file string) bool {
		return strings.HasPrefix(file, ".git/") || slices.ContainsFunc(a.Exclude, func(pattern string) bool {
			return doublestar.MatchUnvalidated(pattern, file)
		})
	}), nil
}

// pack returns the files of an artifact in the format that the server wants, and the name of it.
func (j *runningJob) pack(a artifactOfJob, files []string) (name string, content []byte, err error) {
	var out bytes.Buffer
	name = cmp.Or(os.Expand(a.Name, func(name string) string { return j.values[name] }), "artifacts")
	if a.Format == "zip" {
		z := zip.NewWriter(&out)
		for _, file := range files {
			if err := addToZip(z, j.dir, file); err != nil {
				return "", nil, err
			}
		}
		err := z.Close()
		return strings.TrimSuffix(name, ".zip") + ".zip", out.Bytes(), err
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(j.dir, file))
		if err != nil {
			return "", nil, err
		}
		if a.Format == "raw" {
			return path.Base(file), text, nil
		}
		z := gzip.NewWriter(&out) // a member for each
		z.Name = file
		if _, err := z.Write(text); err != nil {
			return "", nil, err
		}
		if err := z.Close(); err != nil {
			return "", nil, err
		}
	}
	return name + ".gz", out.Bytes(), nil
}

func addToZip(z *zip.Writer, dir, file string) error {
	from, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	head, err := zip.FileInfoHeader(info)
	if err != nil {
		return err
	}
	head.Name, head.Method = file, zip.Deflate
	to, err := z.CreateHeader(head)
	if err == nil {
		_, err = io.Copy(to, from)
	}
	return err
}

// uploadFile sends one file of an artifact.
func (j *runningJob) uploadFile(ctx context.Context, a artifactOfJob, name string, content []byte) error {
	query := url.Values{"artifact_format": {a.Format}, "artifact_type": {a.Type}}
	if a.ExpireIn != "" {
		query.Set("expire_in", a.ExpireIn)
	}
	const tries = 3
	for try := 1; ; try++ {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, _ := form.CreateFormFile("file", name) // writing to memory succeeds
		_, _ = part.Write(content)
		_ = form.Close()
		answer, err := j.send(ctx, "POST", fmt.Sprintf("/jobs/%d/artifacts?%s", j.ID, query.Encode()),
			map[string]string{"JOB-TOKEN": j.Token, "Content-Type": form.FormDataContentType()}, &body)
		switch {
		case err == nil && answer.status == http.StatusCreated:
			return nil
		case err == nil:
			err = fmt.Errorf("upload of %s as %s: the server answers %d: %s", name, a.Type, answer.status, answer.body)
		}
		if try == tries || answer.status/100 == 4 || j.pause(ctx) != nil {
			return err
		}
	}
}

package servertest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
)

// Upload is a file that is sent in a field of a multipart form.
type Upload struct {
	Field, Name   string
	Content       []byte
	Before, After [][2]string // further fields of the form, by name and value, around the file
}

// Form returns the body of a request with the file, and its type.
func (u Upload) Form() (body *bytes.Buffer, kind string, err error) {
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for _, f := range u.Before {
		err = errors.Join(err, w.WriteField(f[0], f[1]))
	}
	part, failed := w.CreateFormFile(u.Field, u.Name)
	if err = errors.Join(err, failed); err == nil {
		_, err = part.Write(u.Content)
	}
	for _, f := range u.After {
		err = errors.Join(err, w.WriteField(f[0], f[1]))
	}
	if err == nil {
		err = w.Close()
	}
	return body, w.FormDataContentType(), err
}

// asFile returns the upload that a body of a transcript stands for, or the body if it is no file.
func asFile(body string) any {
	if metadata, ok := strings.CutPrefix(body, "nupkg "); ok {
		return Package("package.nupkg", metadata)
	}
	if fields, ok := strings.CutPrefix(body, "archive "); ok {
		u := Upload{Field: "file", Name: "export.tar.gz", Content: smallArchive()}
		values, err := url.ParseQuery(fields)
		if err != nil {
			panic(err) // the transcript is wrong
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			u.Before = append(u.Before, [2]string{name, values.Get(name)})
		}
		return u
	}
	return body
}

// smallArchive returns an archive of a project with nothing in it.
func smallArchive() []byte {
	var text bytes.Buffer
	packed := gzip.NewWriter(&text)
	archive := tar.NewWriter(packed)
	for _, f := range [][2]string{{"VERSION", "0.2.4"}, {"tree/project.json", `{"description":"From elsewhere"}`}} {
		if err := errors.Join(
			archive.WriteHeader(&tar.Header{Name: "./" + f[0], Mode: 0o600, Size: int64(len(f[1]))}),
			second(archive.Write([]byte(f[1]))),
		); err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := errors.Join(archive.Close(), packed.Close()); err != nil {
		panic(err)
	}
	return text.Bytes()
}

func second(_ int, err error) error { return err }

// Package returns the upload of a NuGet package whose manifest has the metadata, in XML.
func Package(name, metadata string) Upload {
	return Upload{Field: "package", Name: name, Content: Zip(map[string]string{
		"package.nuspec": `<?xml version="1.0"?><package><metadata>` + metadata + `</metadata></package>`,
	})}
}

// Zip returns an archive of files with their content, in any order.
func Zip(files map[string]string) []byte {
	var list []string
	for name, content := range files {
		list = append(list, name, content)
	}
	return ZipOf(list...)
}

// ZipOf returns an archive of files, each a name and its content, in their order.
func ZipOf(files ...string) []byte {
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	for i := 0; i < len(files); i += 2 {
		w, err := archive.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	return text.Bytes()
}

package servertest

import (
	"archive/zip"
	"bytes"
	"mime/multipart"
	"strings"
)

// Upload is a file that is sent in a field of a multipart form.
type Upload struct {
	Field, Name string
	Content     []byte
}

// Form returns the body of a request with the file, and its type.
func (u Upload) Form() (body *bytes.Buffer, kind string, err error) {
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	part, err := w.CreateFormFile(u.Field, u.Name)
	if err == nil {
		_, err = part.Write(u.Content)
	}
	if err == nil {
		err = w.Close()
	}
	return body, w.FormDataContentType(), err
}

// asPackage returns the upload that a body of a transcript stands for, or the body if it is no
// package.
func asPackage(body string) any {
	if metadata, ok := strings.CutPrefix(body, "nupkg "); ok {
		return Package("package.nupkg", metadata)
	}
	return body
}

// Package returns the upload of a NuGet package whose manifest has the metadata, in XML.
func Package(name, metadata string) Upload {
	return Upload{"package", name, Zip(map[string]string{
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

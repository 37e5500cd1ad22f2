package function

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"unicode/utf8"

	"github.com/hashicorp/go-cty-funcs/encoding"
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"golang.org/x/text/encoding/ianaindex"
)

var encodingFuncs = []entry{
	{"base64decode", stringFunc("str", decode64), "The text that a Base64 string encodes."},
	{"base64encode", checked(encoding.Base64EncodeFunc), "The string in Base64."},
	{"base64gunzip", stringFunc("str", gunzip64), "The text of gzip data that is in Base64."},
	{"base64gzip", pureStringFunc(gzip64), "The string compressed with gzip, in Base64."},
	{
		"csvdecode",
		stdlib.CSVDecodeFunc,
		"A list with an object for each line of CSV text. The first line names the attributes.",
	},
	{"jsondecode", jsondecode, "The value that JSON text encodes."},
	{"jsonencode", stdlib.JSONEncodeFunc, "The value as JSON text, in which <, > and & are escaped."},
	{"textdecodebase64", encodingFunc(func(s, name string) (string, error) {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return "", fmt.Errorf("the string is not valid Base64: %w", err)
		}
		return transcode(name, b, false)
	}), "The text that a Base64 string encodes in a character encoding such as UTF-16LE."},
	{"textencodebase64", encodingFunc(func(s, name string) (string, error) {
		out, err := transcode(name, []byte(s), true)
		return encode64([]byte(out)), err
	}), "The string in a character encoding such as UTF-16LE, in Base64."},
	{"urldecode", stringFunc("str", url.QueryUnescape), "The string that a URL-encoded string stands for."},
	{"urlencode", checked(encoding.URLEncodeFunc), "The string in URL encoding."},
	{"yamldecode", yamldecode, "The value that a YAML document encodes."},
	{"yamlencode", checked(ctyyaml.YAMLEncodeFunc), "The value as YAML text."},
}

func encode64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// decode64 replaces the library's function, which logs what it cannot decode.
func decode64(s string) (string, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	switch {
	case err != nil:
		return "", fmt.Errorf("the string is not valid Base64: %w", err)
	case !utf8.Valid(b):
		return "", errors.New("the decoded bytes are not UTF-8 text. Keep them in Base64")
	}
	return string(b), nil
}

func gzip64(s string) string {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = io.WriteString(w, s) // a buffer never fails
	_ = w.Close()
	return encode64(buf.Bytes())
}

func gunzip64(s string) (string, error) {
	const most = 64 << 20
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewBufferString(s)))
	if err != nil {
		return "", fmt.Errorf("the string is not gzip data in Base64: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("the string is not gzip data in Base64: %w", err)
	case len(b) > most:
		return "", fmt.Errorf("the data decompresses to more than %d MiB", most>>20)
	case !utf8.Valid(b):
		return "", errors.New("the decompressed data is not UTF-8 text")
	}
	return string(b), nil
}

func encodingFunc(f func(s, name string) (string, error)) function.Function {
	return staticFunc(cty.String, func(args []cty.Value) (cty.Value, error) {
		s, err := f(args[0].AsString(), args[1].AsString())
		return cty.StringVal(s), err
	}, param("str", cty.String), param("encoding", cty.String))
}

func transcode(name string, b []byte, out bool) (string, error) {
	enc, err := ianaindex.IANA.Encoding(name)
	if err != nil || enc == nil {
		return "", fmt.Errorf(
			"%q is not a supported character encoding. Common ones are UTF-8, UTF-16LE and ISO-8859-1", name)
	}
	if out {
		b, err = enc.NewEncoder().Bytes(b)
	} else {
		b, err = enc.NewDecoder().Bytes(b)
	}
	if err != nil {
		return "", fmt.Errorf("the string has characters that %s cannot represent", name)
	}
	return string(b), nil
}

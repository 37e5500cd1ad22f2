package object

import (
	"errors"
	"strings"
)

// Header is a header of a commit or tag. Lines of the value after the first are stored without the
// space that they begin with in the object.
type Header struct{ Key, Value string }

func appendHeader(dst []byte, key, value string) []byte {
	dst = append(dst, key...)
	dst = append(dst, ' ')
	dst = append(dst, strings.ReplaceAll(value, "\n", "\n ")...)
	return append(dst, '\n')
}

// cutHeaders splits an object into its headers and its message, which begins after the first empty
// line.
func cutHeaders(text string) (headers []Header, message string, err error) {
	headers = make([]Header, 0, 8)
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if line == "" {
			return headers, rest, nil
		}
		for strings.HasPrefix(rest, " ") && len(headers) > 0 {
			next, after, _ := strings.Cut(rest, "\n")
			line, rest = text[:len(line)+1+len(next)], after
		}
		key, value, _ := strings.Cut(line, " ")
		if key == "" {
			return nil, "", errors.New("it begins with a space")
		}
		headers = append(headers, Header{Key: key, Value: strings.ReplaceAll(value, "\n ", "\n")})
		text = rest
	}
	return headers, "", nil
}

package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxDocuments is how many documents a file may have: the header and the body.
const maxDocuments = 2

// maxSeparators bounds the values that the YAML library makes of a file before they can be counted.
const maxSeparators = 300_000

// Parse reads one file and returns its body, a map, in which references are still References and
// inputs are as written. A file with comments only is an empty map.
func Parse(file string, content []byte, limits Limits) (*Node, error) {
	_, body, err := parseFile(file, content, limits.withDefaults())
	return body, err
}

// parseFile reads one file. The header is nil if there is none. Without one, a second document is
// not used.
func parseFile(file string, content []byte, limits Limits) (header, body *Node, err error) {
	if len(content) > limits.FileBytes {
		return nil, nil, &Error{File: file, Text: textFileTooBig}
	}
	if separators(content) > maxSeparators {
		return nil, nil, &Error{File: file, Text: textTreeTooBig}
	}
	documents, err := parseDocuments(file, content, limits)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case len(documents) == 0:
		return nil, &Node{Kind: Map, File: file, Line: 1}, nil
	case len(documents) == maxDocuments && documents[0].Get("spec") != nil:
		return documents[0], documents[1], nil
	}
	return nil, documents[0], nil
}

// separators counts what comes between values, of which there is at least one for two values.
func separators(content []byte) int {
	n := 0
	for i, c := range content {
		switch c {
		case '\n', ',', '[', '{':
			n++
		case ':', '-', '?':
			if i+1 < len(content) && (content[i+1] == ' ' || content[i+1] == '\t') {
				n++
			}
		}
	}
	return n
}

// parseDocuments returns the documents of a file that are not empty, each a map.
func parseDocuments(file string, content []byte, limits Limits) ([]*Node, error) {
	var documents []*Node
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	b := builder{file: file, limits: limits, anchored: map[*yaml.Node]*Node{}}
	for {
		read, err := decode(decoder)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, syntaxError(file, content, err)
		}
		if len(read.Content) == 0 {
			continue
		}
		root, err := b.build(read.Content[0], 0)
		if err != nil {
			return nil, err
		}
		if root.Kind == Null {
			continue
		}
		if root.Kind != Map {
			return nil, errorAt(root, textNoMap)
		}
		if len(documents) == maxDocuments {
			return nil, errorAt(root, textManyDocuments)
		}
		if err := limits.check(root, limits.ParsedBytes); err != nil {
			return nil, err
		}
		documents = append(documents, root)
	}
}

// decode reads the next document. The library panics at a few malformed texts, which is an error of
// the text.
func decode(decoder *yaml.Decoder) (read yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	err = decoder.Decode(&read)
	return read, err
}

var (
	libraryError = regexp.MustCompile(`(?s)^yaml: (?:line (\d+): )?(.*)$`)
	unknownAlias = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	// parserError has the words of errors whose line the library counts from 0.
	parserError = regexp.MustCompile(`^did not find expected (<|node content|key|'-' indicator|',' or)`)
)

// syntaxError returns the library's error with its place.
func syntaxError(file string, content []byte, err error) *Error {
	match := libraryError.FindStringSubmatch(err.Error())
	if match == nil {
		return &Error{File: file, Text: err.Error()}
	}
	line, _ := strconv.Atoi(match[1])
	text := match[2]
	if alias := unknownAlias.FindStringSubmatch(text); alias != nil {
		return &Error{File: file, Line: lineOf(content, "*"+alias[1]), Text: "Unknown alias: " + alias[1]}
	}
	if parserError.MatchString(text) {
		line++
	}
	if line > 0 {
		text += fmt.Sprintf(" at line %d", line)
	}
	return &Error{File: file, Line: line, Text: text}
}

// lineOf returns the first line that has a text outside of comments; 0 if there is none.
func lineOf(content []byte, text string) int {
	number := 0
	for line := range strings.SplitSeq(string(content), "\n") {
		number++
		if !strings.HasPrefix(strings.TrimSpace(line), "#") && strings.Contains(line, text) {
			return number
		}
	}
	return 0
}

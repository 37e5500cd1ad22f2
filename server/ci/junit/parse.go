package junit

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"hew/schema/pattern"
)

// parser reads one file.
type parser struct {
	*xml.Decoder
	suite *Suite
	depth int
	jobID int64
}

// parse reads a file: testsuite elements at any depth, below a root testsuites or not. Elements of
// other names, and cases outside of a testsuite, are left out.
func (s *Suite) parse(r io.Reader, jobID int64) error {
	p := &parser{Decoder: xml.NewDecoder(r), suite: s, jobID: jobID}
	p.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		known, err := htmlindex.Get(charset)
		if err != nil {
			return nil, fmt.Errorf("the encoding %q is not known", charset)
		}
		return known.NewDecoder().Reader(in), nil
	}
	return p.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "testsuite":
			return p.testSuite()
		case "testsuites":
			return p.children(func(e xml.StartElement) error {
				if e.Name.Local == "testsuite" {
					return p.testSuite()
				}
				return p.leave()
			})
		}
		return p.leave()
	})
}

// next returns the next token, and counts how deep it is.
func (p *parser) next() (xml.Token, error) {
	t, err := p.Token()
	if err != nil {
		return nil, err
	}
	switch t.(type) {
	case xml.StartElement:
		if p.depth++; p.depth > maxDepth {
			return nil, fmt.Errorf("more than %d elements are in each other", maxDepth)
		}
	case xml.EndElement:
		p.depth--
	}
	return t, nil
}

// children calls do with each element in the current one, which do has to read to its end.
func (p *parser) children(do func(xml.StartElement) error) error {
	for {
		t, err := p.next()
		switch {
		case errors.Is(err, io.EOF) && p.depth == 0:
			return nil
		case err != nil:
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := do(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// leave reads the current element to its end.
func (p *parser) leave() error {
	for end := p.depth - 1; p.depth > end; {
		if _, err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) testSuite() error {
	return p.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "testsuite":
			return p.testSuite()
		case "testcase":
			return p.testCase(e)
		}
		return p.leave()
	})
}

func (p *parser) testCase(e xml.StartElement) error {
	if p.suite.read++; p.suite.read > MaxCases {
		return fmt.Errorf("number of test cases exceeded the limit of %d", MaxCases)
	}
	c := Case{Status: Success, JobID: p.jobID}
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "name":
			c.Name = a.Value
		case "classname":
			c.Classname = a.Value
		case "file":
			c.File = &a.Value
		case "time":
			c.Time = seconds(a.Value)
		}
	}
	texts := map[string][]string{} // by the name of the element
	if err := p.children(func(e xml.StartElement) error {
		if !slices.Contains(judged, e.Name.Local) {
			return p.leave()
		}
		text, err := p.text(e)
		texts[e.Name.Local] = append(texts[e.Name.Local], text)
		return err
	}); err != nil {
		return err
	}
	c.judge(texts)
	p.suite.add(c)
	return nil
}

// text returns the text of an element, or if it has none its attributes.
func (p *parser) text(e xml.StartElement) (string, error) {
	var b strings.Builder
	for end := p.depth - 1; p.depth > end; {
		t, err := p.next()
		if err != nil {
			return "", err
		}
		if data, ok := t.(xml.CharData); ok && p.depth == end+1 {
			b.Write(data)
		}
	}
	if strings.TrimSpace(b.String()) != "" {
		return b.String(), nil
	}
	return printed(e.Attr), nil
}

// printed returns attributes as the public service prints them: {"message"=>"m"}; "" for none.
func printed(attributes []xml.Attr) string {
	values := map[string]string{}
	for _, a := range attributes {
		values[a.Name.Local] = a.Value
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, strconv.Quote(name)+"=>"+strconv.Quote(values[name]))
	}
	if pairs == nil {
		return ""
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// judged are the elements of a case that matter.
var judged = []string{"failure", "error", "skipped", "system-out", "system-err"}

var attachment = pattern.Lazy(`\[\[ATTACHMENT\|(.+?)\]\]`)

// judge sets the status and the output by the elements of the case, even if they are empty.
func (c *Case) judge(texts map[string][]string) {
	found := func(element string) bool { return texts[element] != nil }
	parts := texts["failure"]
	switch {
	case found("failure"):
		c.Status = Failed
	case found("error"):
		c.Status, parts = Error, texts["error"]
	case found("skipped"):
		c.Status = Skipped
		if text := strings.Join(texts["skipped"], "\n\n"); text != "" {
			c.Output = &text
		}
		return
	default:
		return
	}
	for _, more := range []struct{ element, title string }{{"system-out", "System Out"}, {"system-err", "System Err"}} {
		if text := strings.Join(texts[more.element], "\n\n"); text != "" {
			parts = append(parts, more.title+":\n\n"+text)
		}
	}
	c.Output = new(strings.Join(parts, "\n\n"))
	if at := attachment().FindStringSubmatch(strings.Join(texts["system-out"], "\n")); at != nil {
		c.Attachment = at[1]
	}
}

var floatPrefix = pattern.Lazy(`^\s*[-+]?(\d+(\.\d+)?|\.\d+)([eE][-+]?\d+)?`)

// maxTime is the longest time of a case, in seconds, so that sums stay numbers.
const maxTime = 1e9

// seconds returns the number that a text begins with; 0 if it begins with none.
func seconds(text string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimSpace(floatPrefix().FindString(text)), 64) // or the nearest infinity, or 0
	return max(-maxTime, min(n, maxTime))
}

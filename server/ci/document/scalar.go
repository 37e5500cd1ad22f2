package document

import (
	"encoding/base64"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The shapes of plain scalars that are numbers, in the order in which they are tried.
var (
	sexagesimalInt   = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}$`)
	sexagesimalFloat = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*$`)
	decimalFloat     = regexp.MustCompile(`^[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][+-][0-9]+)?$`)
	integer          = regexp.MustCompile(`^[-+]?(0b[01_,]+|0[0-7_,]+|0|[1-9]([0-9]|,[0-9]|_[0-9])*|0x[0-9a-fA-F_,]+)$`)
)

// constants are the plain scalars that stand for a value, in lower case.
var constants = map[string]Node{
	"":      {Kind: Null},
	"~":     {Kind: Null},
	"null":  {Kind: Null},
	"true":  {Kind: Bool, Bool: true},
	"yes":   {Kind: Bool, Bool: true},
	"on":    {Kind: Bool, Bool: true},
	"false": {Kind: Bool},
	"no":    {Kind: Bool},
	"off":   {Kind: Bool},
	".inf":  {Kind: Float, Float: math.Inf(1)},
	"+.inf": {Kind: Float, Float: math.Inf(1)},
	"-.inf": {Kind: Float, Float: math.Inf(-1)},
	".nan":  {Kind: Float, Float: math.NaN()},
}

// plainScalar returns the value of a scalar written without quotes. Whole numbers beyond 64 bits
// stay text.
func plainScalar(text string) Node {
	if len(text) <= 5 {
		if n, ok := constants[strings.ToLower(text)]; ok {
			n.Text = text
			return n
		}
	}
	if text == "" || strings.IndexByte("0123456789+-.", text[0]) < 0 {
		return Node{Kind: String, Text: text}
	}
	switch {
	case sexagesimalInt.MatchString(text):
		return sexagesimal(text, Int)
	case sexagesimalFloat.MatchString(text):
		return sexagesimal(text, Float)
	case decimalFloat.MatchString(text):
		f, err := strconv.ParseFloat(without(text, ",_"), 64)
		if err == nil || math.IsInf(f, 0) {
			return Node{Kind: Float, Float: f, Text: text}
		}
	case integer.MatchString(text):
		return wholeNumber(text)
	}
	return Node{Kind: String, Text: text}
}

// wholeNumber returns the value of digits in base 2, 8, 10 or 16, told by their prefix.
func wholeNumber(text string) Node {
	digits := without(text, ",_")
	// Base 0 knows the prefixes 0b, 0 and 0x.
	i, err := strconv.ParseInt(digits, 0, 64)
	if err != nil {
		return Node{Kind: String, Text: text}
	}
	return Node{Kind: Int, Int: i, Text: text}
}

// sexagesimal returns the value of hours, minutes and seconds in seconds. The first part is hours
// even where there are only two.
func sexagesimal(text string, kind Kind) Node {
	n := Node{Kind: kind, Text: text}
	unit := int64(3600)
	for part := range strings.SplitSeq(without(text, "_"), ":") {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil || math.Abs(f) > 1<<40 {
			return Node{Kind: String, Text: text}
		}
		n.Float += f * float64(unit)
		n.Int += int64(f) * unit
		unit /= 60
	}
	if kind == Int {
		n.Float = 0
	} else {
		n.Int = 0
	}
	return n
}

// scalar returns the value of a scalar with its quotes and its tag.
func scalar(y *yaml.Node) Node {
	quoted := y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	if y.Style&yaml.TaggedStyle == 0 {
		if quoted {
			return Node{Kind: String, Text: y.Value}
		}
		return plainScalar(y.Value)
	}
	switch y.Tag {
	case "!!str":
		return Node{Kind: String, Text: y.Value}
	case "!!binary":
		raw, err := base64.StdEncoding.DecodeString(without(y.Value, " \t\r\n"))
		if err != nil {
			return Node{Kind: String, Text: y.Value}
		}
		return Node{Kind: String, Text: strings.ToValidUTF8(string(raw), "\uFFFD")}
	case "!!int", "!!float":
		n := plainScalar(y.Value)
		if y.Tag == "!!float" && n.Kind == Int {
			n = Node{Kind: Float, Float: float64(n.Int), Text: n.Text}
		}
		return n
	}
	if quoted {
		return Node{Kind: String, Text: y.Value}
	}
	return plainScalar(y.Value)
}

// without returns a text without some characters.
func without(text, chars string) string {
	if !strings.ContainsAny(text, chars) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(chars, r) {
			return -1
		}
		return r
	}, text)
}

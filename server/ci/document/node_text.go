package document

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// ScalarText returns the value of a scalar as text, which is what a variable gets: 10 for 012,
// 1.5 for 1.50, true for yes, "" for null. Of maps, lists and references it returns JSON.
func (n *Node) ScalarText() string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case Null:
		return ""
	case Bool:
		return strconv.FormatBool(n.Bool)
	case Int:
		return strconv.FormatInt(n.Int, 10)
	case Float:
		return floatText(n.Float)
	case String:
		return n.Text
	}
	text, _ := n.MarshalJSON()
	return string(text)
}

// floatText writes a float as Ruby does, with a digit after the point.
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	size := math.Abs(f)
	if f != 0 && (size < 1e-4 || size >= 1e16) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		return mantissa + "e" + exponent
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// MarshalJSON writes the tree with the keys of maps in their order. Floats that JSON does not know
// are text; a Reference is the list of its path.
func (n *Node) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	n.writeJSON(&b)
	return b.Bytes(), nil
}

// writeJSON appends the JSON of a node.
func (n *Node) writeJSON(b *bytes.Buffer) {
	if n == nil {
		b.WriteString("null")
		return
	}
	switch {
	case n.Kind == Null:
		b.WriteString("null")
	case n.Kind == Map || len(n.Entries) > 0:
		b.WriteByte('{')
		for i, e := range n.Entries {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(quoteJSON(e.Key))
			b.WriteByte(':')
			e.Value.writeJSON(b)
		}
		b.WriteByte('}')
	case n.Kind == List || n.Kind == Reference && n.Text == "":
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case n.Kind == Bool || n.Kind == Int || n.Kind == Float && !math.IsNaN(n.Float) && !math.IsInf(n.Float, 0):
		b.WriteString(n.ScalarText())
	case n.Kind == Float:
		b.Write(quoteJSON(floatText(n.Float)))
	default:
		b.Write(quoteJSON(n.Text))
	}
}

// quoteJSON returns a text as a JSON string, with <, > and & as they are.
func quoteJSON(text string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// A string cannot fail.
	_ = encoder.Encode(text)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Equal reports whether two trees have the same values and keys in the same order. Places and the
// way in which scalars were written do not count.
func (n *Node) Equal(other *Node) bool {
	if n == nil || other == nil {
		return n == other
	}
	if n.Kind != other.Kind || len(n.Entries) != len(other.Entries) || len(n.Items) != len(other.Items) {
		return false
	}
	for i, e := range n.Entries {
		if e.Key != other.Entries[i].Key || !e.Value.Equal(other.Entries[i].Value) {
			return false
		}
	}
	for i, item := range n.Items {
		if !item.Equal(other.Items[i]) {
			return false
		}
	}
	switch n.Kind {
	case Bool:
		return n.Bool == other.Bool
	case Int:
		return n.Int == other.Int
	case Float:
		return n.Float == other.Float || math.IsNaN(n.Float) && math.IsNaN(other.Float)
	case String, Reference:
		return n.Text == other.Text
	}
	return true
}

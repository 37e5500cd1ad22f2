package definition

import (
	"bytes"
	"encoding/json"
	"math"

	"hew/server/ci/document"
)

// encode returns a node as JSON, nil if there is none.
func encode(n *document.Node) json.RawMessage {
	if n == nil || n.Kind == document.Null {
		return nil
	}
	var out bytes.Buffer
	write(&out, n)
	return out.Bytes()
}

func write(out *bytes.Buffer, n *document.Node) {
	switch {
	case n == nil:
		out.WriteString("null")
	case n.Kind == document.Map:
		out.WriteByte('{')
		for i, e := range n.Entries {
			if i > 0 {
				out.WriteByte(',')
			}
			writeScalar(out, e.Key)
			out.WriteByte(':')
			write(out, e.Value)
		}
		out.WriteByte('}')
	case n.Kind == document.List:
		out.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				out.WriteByte(',')
			}
			write(out, item)
		}
		out.WriteByte(']')
	case n.Kind == document.Bool:
		writeScalar(out, n.Bool)
	case n.Kind == document.Int:
		writeScalar(out, n.Int)
	case n.Kind == document.Float && !math.IsInf(n.Float, 0) && !math.IsNaN(n.Float):
		writeScalar(out, n.Float)
	case n.Kind == document.String:
		writeScalar(out, n.Text)
	default:
		out.WriteString("null")
	}
}

// writeScalar encodes what cannot fail: a text, a boolean or a finite number.
func writeScalar(out *bytes.Buffer, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	out.Write(text)
}

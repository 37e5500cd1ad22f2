package note

import "encoding/json"

// The types of positions.
const (
	TextPosition  = "text"
	FilePosition  = "file"
	ImagePosition = "image"
)

// Position is the place in a diff that a note is on (more §2.1).
type Position struct {
	BaseSHA      *string `json:"base_sha"`  // nil of comments that were made before there were notes
	StartSHA     *string `json:"start_sha"` // as BaseSHA
	HeadSHA      string  `json:"head_sha"`
	OldPath      string  `json:"old_path"`
	NewPath      string  `json:"new_path"`
	PositionType string  `json:"position_type"`

	// of text
	OldLine   *int            `json:"old_line"`   // nil of an added line
	NewLine   *int            `json:"new_line"`   // nil of a removed line
	LineRange json.RawMessage `json:"line_range"` // {"start": …, "end": …}; null for one line

	// of an image
	X      *float64 `json:"x"`
	Y      *float64 `json:"y"`
	Width  *float64 `json:"width"`
	Height *float64 `json:"height"`
}

// MarshalJSON writes the position as answers show it.
func (p Position) MarshalJSON() ([]byte, error) {
	fields := map[string]any{
		"base_sha": p.BaseSHA, "start_sha": p.StartSHA, "head_sha": p.HeadSHA, "old_path": p.OldPath,
		"new_path": p.NewPath, "position_type": p.PositionType,
	}
	switch p.PositionType {
	case TextPosition:
		fields["old_line"], fields["new_line"], fields["line_range"] = p.OldLine, p.NewLine, p.LineRange
	case ImagePosition:
		fields["x"], fields["y"], fields["width"], fields["height"] = p.X, p.Y, p.Width, p.Height
	}
	return json.Marshal(fields)
}

// PositionOf reads the position of a note, nil if it has none.
func PositionOf(n Note) (*Position, error) {
	if len(n.Position) == 0 {
		return nil, nil
	}
	var p Position
	err := json.Unmarshal(n.Position, &p)
	return &p, err
}

package api

import (
	"encoding/json"

	"hew/server/note"
)

// PositionInput is a position as requests give it (more §2.1).
type PositionInput struct {
	BaseSHA      string    `param:"base_sha,required"`
	StartSHA     string    `param:"start_sha,required"`
	HeadSHA      string    `param:"head_sha,required"`
	PositionType string    `param:"position_type,required" oneof:"text image file"`
	NewPath      string    `param:"new_path"`
	OldPath      string    `param:"old_path"`
	NewLine      *int      `param:"new_line"`
	OldLine      *int      `param:"old_line"`
	Width        *float64  `param:"width"`
	Height       *float64  `param:"height"`
	X            *float64  `param:"x"`
	Y            *float64  `param:"y"`
	LineRange    lineRange `param:"line_range"`
}

type lineRange struct {
	Start lineEnd `param:"start"`
	End   lineEnd `param:"end"`
}

// lineEnd is the first or last line of a range.
type lineEnd struct {
	LineCode string  `param:"line_code" json:"line_code"`
	Type     *string `param:"type" oneof:"new old expanded" json:"type"`
	OldLine  *int    `param:"old_line" json:"old_line"`
	NewLine  *int    `param:"new_line" json:"new_line"`
}

// Position returns the position that was given.
func (in PositionInput) Position() note.Position {
	p := note.Position{
		BaseSHA: &in.BaseSHA, StartSHA: &in.StartSHA, HeadSHA: in.HeadSHA, OldPath: in.OldPath, NewPath: in.NewPath,
		PositionType: in.PositionType, OldLine: in.OldLine, NewLine: in.NewLine,
		X: in.X, Y: in.Y, Width: in.Width, Height: in.Height,
	}
	if r := in.LineRange; r.Start.LineCode != "" && r.End.LineCode != "" {
		p.LineRange, _ = json.Marshal(map[string]lineEnd{"start": r.Start, "end": r.End}) // texts and numbers encode
	}
	return p
}

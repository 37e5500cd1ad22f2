package catalogue

import (
	_ "embed"
	"strings"
	"sync"

	"hew/schema/pattern"
)

//go:embed colours.tsv
var coloursTable string

var colours = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for row := range rows(coloursTable) {
		byName[row.at("name")] = row.at("hex")
	}
	return byName
})

var hexColour = pattern.Lazy(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

// Colour is a colour as hosts keep it: #RRGGBB for one of the names that CSS knows, and what is
// written in digits as it is written. False: it is no colour.
func Colour(stated string) (kept string, ok bool) {
	if hexColour().MatchString(stated) {
		return stated, true
	}
	kept, ok = colours()[strings.ToLower(stated)]
	return kept, ok
}

// SameColour is the normal form of a colour: six digits in lower case, however it is written. What
// is no colour stays as it is.
func SameColour(stated string) string {
	kept, ok := Colour(stated)
	if !ok {
		return stated
	}
	kept = strings.ToLower(kept)
	if len(kept) == len("#fff") {
		r, g, b := kept[1:2], kept[2:3], kept[3:4]
		kept = "#" + r + r + g + g + b + b
	}
	return kept
}

package archive

import (
	"encoding/json"
	"fmt"
)

// Word is an attribute that some versions write as a word and others as a number or bool. It holds
// the text of either.
type Word string

// UnmarshalJSON implements json.Unmarshaler.
func (w *Word) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		return json.Unmarshal(data, (*string)(w))
	case '{', '[':
		return fmt.Errorf("a string, number or bool is wanted, not %.20s", data)
	}
	if text := string(data); text != "null" {
		*w = Word(text)
	}
	return nil
}

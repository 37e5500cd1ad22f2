package forge

import (
	"context"
	"fmt"

	"hew/server/store"
)

// mostAttributes is how many custom attributes one thing may have: lists show all of them.
const mostAttributes = 100

// ChangeCustomAttributes lets change edit the custom attributes of something as they are stored, while nobody else can, and
// stores the outcome.
func ChangeCustomAttributes(ctx context.Context, st *store.Store, b store.Bearer, change func(map[string]string) error) error {
	return st.Tx(ctx, func(st *store.Store) error {
		attributes, err := st.HoldCustomAttributes(ctx, b)
		if err != nil {
			return err
		}
		if err := change(attributes); err != nil {
			return err
		}
		if err := checkAttributes(attributes); err != nil {
			return err
		}
		return st.UpdateCustomAttributes(ctx, b, attributes)
	})
}

func checkAttributes(attributes map[string]string) error {
	var wrong problems
	if len(attributes) > mostAttributes {
		wrong.on("base", fmt.Sprintf("Maximum number of custom attributes (%d) exceeded", mostAttributes))
	}
	for key, value := range attributes {
		wrong.fits("key", key, 255)
		wrong.fits("value", value, 255)
	}
	return wrong.err()
}

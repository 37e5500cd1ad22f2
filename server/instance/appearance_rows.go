package instance

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Appearance is how the instance presents itself.
type Appearance struct {
	ID       int64              `db:"id"`
	Settings AppearanceSettings `db:"appearance"`
	Files    map[string]string  `db:"files,auto"` // the names of the files, by what they are for
}

// AppearanceSettings are its texts and colours, by the names of the wire.
type AppearanceSettings struct {
	Title                       string `json:"title"`
	Description                 string `json:"description"`
	PwaName                     string `json:"pwa_name"`
	PwaShortName                string `json:"pwa_short_name"`
	PwaDescription              string `json:"pwa_description"`
	MemberGuidelines            string `json:"member_guidelines"`
	NewProjectGuidelines        string `json:"new_project_guidelines"`
	ProfileImageGuidelines      string `json:"profile_image_guidelines"`
	HeaderMessage               string `json:"header_message"`
	FooterMessage               string `json:"footer_message"`
	MessageBackgroundColor      string `json:"message_background_color"`
	MessageFontColor            string `json:"message_font_color"`
	EmailHeaderAndFooterEnabled bool   `json:"email_header_and_footer_enabled"`
}

// NewAppearanceSettings are the defaults.
func NewAppearanceSettings() AppearanceSettings {
	return AppearanceSettings{MessageBackgroundColor: "#e75e40", MessageFontColor: "#ffffff"}
}

// UnmarshalJSON reads stored settings over the defaults.
func (a *AppearanceSettings) UnmarshalJSON(text []byte) error {
	type plain AppearanceSettings
	v := plain(NewAppearanceSettings())
	err := json.Unmarshal(text, &v)
	*a = AppearanceSettings(v)
	return err
}

const selectAppearance = `
	select id, appearance, coalesce((select jsonb_object_agg(name, file_name) from appearance_files), '{}') as files
	from appearances where id = 1`

// ReadAppearance reads the appearance, without the contents of its files.
func ReadAppearance(ctx context.Context, s *db.Store) (Appearance, error) {
	return db.One[Appearance](ctx, s, "Appearance", selectAppearance, nil)
}

// HoldAppearance reads the appearance and keeps others from changing it until the transaction ends.
func HoldAppearance(ctx context.Context, s *db.Store) (Appearance, error) {
	return db.One[Appearance](ctx, s, "Appearance", selectAppearance+` for no key update`, nil)
}

// UpdateAppearance stores the texts and colours.
func UpdateAppearance(ctx context.Context, s *db.Store, a Appearance) (Appearance, error) {
	if err := s.Update(ctx, "appearances", a); err != nil {
		return a, err
	}
	return ReadAppearance(ctx, s)
}

// PutAppearanceFile stores a file in place of the one that was there for the same, if any.
func PutAppearanceFile(ctx context.Context, s *db.Store, name, fileName string, content []byte) error {
	return s.Exec(ctx, `
		insert into appearance_files (name, file_name, content) values (@name, @file_name, @content)
		on conflict (name) do update
		set (file_name, content, updated_at) = row(excluded.file_name, excluded.content, now())`,
		pgx.NamedArgs{"name": name, "file_name": fileName, "content": content})
}

// DeleteAppearanceFile removes a file, if there is one.
func DeleteAppearanceFile(ctx context.Context, s *db.Store, name string) error {
	return s.Exec(ctx, `delete from appearance_files where name = @name`, pgx.NamedArgs{"name": name})
}

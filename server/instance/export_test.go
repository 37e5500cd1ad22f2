package instance

// Names for tests of the database.
var (
	HoldSettings       = holdSettings
	SetSetting         = setSetting
	SettingSecretValue = settingSecretValue
	UpdateSettings     = updateSettings
)

// SecretSetting stands for a secret that is set.
const SecretSetting = secretSetting

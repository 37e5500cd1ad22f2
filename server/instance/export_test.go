package instance

// What tests of the database look into.
var (
	HoldSettings       = holdSettings
	SetSetting         = setSetting
	SettingSecretValue = settingSecretValue
	UpdateSettings     = updateSettings
)

// SecretSetting stands for a secret that is set.
const SecretSetting = secretSetting

package db

import ()

// Mask stands for a password, however long that is.
const Mask = "*****"

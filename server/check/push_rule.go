package check

// LongestRegex is how long a regular expression may be (gaps §3.4): whoever pushes waits until it has been looked at.
const LongestRegex = 511

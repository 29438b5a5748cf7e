"""Names of the plugin's options: every pytest run loads them, so this module imports nothing."""

REQUIRE = "pclgen_require"

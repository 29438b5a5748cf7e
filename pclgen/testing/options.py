"""Names of the plugin's options: pytest's own interpreter loads them, so nothing is imported here."""

REQUIRE = "pclgen_require"

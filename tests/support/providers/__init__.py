"""Small models of the providers of the conformance tests (../shared/spec/conformance-providers.md)."""

"""A front end for Pulumi YAML: its programs become the syntax trees that PCL's have, with places in the YAML."""

"""A front end for Pulumi YAML: its programs become syntax trees like those of PCL, with spans in the YAML."""

"""Component packages: the dependencies of a project, their versions, and the location of their sources."""

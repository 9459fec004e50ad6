"""The command line, the service and the phone page."""

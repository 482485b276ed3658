"""Meeting hours: when people who want to play with others come to this site."""

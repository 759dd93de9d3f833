#!/usr/bin/perl
# The page as a CGI program that needs no CGI module.
use strict;
use warnings;
use Page qw(asked page);

if (my ($rows, $columns) = asked($ENV{QUERY_STRING})) {
    print "Content-Type: text/html\r\n\r\n", page($rows, $columns);
} else {
    print "Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n";
}

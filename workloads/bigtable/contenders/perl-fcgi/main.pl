# The page by FCGI, the binding to the FastCGI developer's kit: one request after the other.
use strict;
use warnings;
use FCGI;
use Page qw(asked page);

my %environment;
my $request = FCGI::Request(\*STDIN, \*STDOUT, \*STDERR, \%environment);
# The library catches SIGTERM, and heeds it between connections alone.
$SIG{TERM} = 'DEFAULT';
while ($request->Accept >= 0) {
    if (my ($rows, $columns) = asked($environment{QUERY_STRING})) {
        print "Content-Type: text/html\r\n\r\n", page($rows, $columns);
    } else {
        print "Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\nrows=1 to 10000\n";
    }
}

# The page by CGI::Fast: a CGI program of the usual form, whose process stays for the next request.
use strict;
use warnings;
use CGI::Fast;
use Page qw(asked page);

my $signals;
while (my $query = CGI::Fast->new) {
    # The library below catches SIGTERM from the first request on, and heeds it between connections alone.
    $SIG{TERM} = 'DEFAULT' unless $signals++;
    if (my ($rows, $columns) = asked($query->query_string =~ tr/;/&/r)) {
        print $query->header('text/html'), page($rows, $columns);
    } else {
        print $query->header('text/plain', '400 Bad Request'), "rows=1 to 10000\n";
    }
}

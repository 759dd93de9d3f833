# The page by CGI::Fast: a CGI program of the usual form, whose process stays for the next request.
use strict;
use warnings;
use CGI::Fast;
use Page qw(page size);

my $signals;
while (my $query = CGI::Fast->new) {
    # The library below catches SIGTERM from the first request on, and heeds it between connections alone.
    $SIG{TERM} = 'DEFAULT' unless $signals++;
    my @asked = map { scalar $query->param($_) } qw(rows columns);
    if (my ($rows, $columns) = size($asked[0], $asked[1] // 50)) {
        print $query->header('text/html'), page($rows, $columns);
    } else {
        print $query->header('text/plain', '400 Bad Request'), "rows=1 to 10000\n";
    }
}

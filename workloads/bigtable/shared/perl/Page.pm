package Page;
# The page, and the query that asks for it.
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(asked page);

my %LIMIT = (rows => 10_000, columns => 100);

# Rows and columns of a query string; an empty list where it asks for no such page.
sub asked {
    my ($query) = @_;
    my %value = (columns => 50, map { /^(\w+)=(.*)$/ } split /&/, $query // '');
    for my $name (keys %LIMIT) {
        my $value = $value{$name} // '';
        return unless $value =~ /\A[0-9]{1,9}\z/ && $value >= 1 && $value <= $LIMIT{$name};
    }
    return @value{qw(rows columns)};
}

sub page {
    my ($rows, $columns) = @_;
    my $page = '<table>';
    for my $row (1 .. $rows) {
        $page .= '<tr>';
        $page .= "<td>$_</td>" for 1 .. $columns;
        $page .= "</tr>\n";
    }
    return $page . '</table>';
}

1;

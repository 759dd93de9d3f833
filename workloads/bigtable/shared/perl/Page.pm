package Page;
# The page, and the query that asks for it.
use strict;
use warnings;
use Exporter 'import';
our @EXPORT_OK = qw(asked page size);

sub is_number {
    my ($text, $most) = @_;
    return $text =~ /\A[0-9]{1,9}\z/ && $text >= 1 && $text <= $most;
}

# Rows and columns, from the texts of the parameters; an empty list where there is no such page.
sub size {
    my ($rows, $columns) = map { $_ // '' } @_;
    return unless is_number($rows, 10_000) && is_number($columns, 100);
    return ($rows, $columns);
}

# The same from a query string.
sub asked {
    my ($query) = @_;
    my %value = map { /^(\w+)=(.*)$/ } split /&/, $query // '';
    return size($value{rows}, $value{columns} // 50);
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

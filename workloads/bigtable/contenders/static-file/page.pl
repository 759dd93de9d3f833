# Writes the page of 1000 rows and 50 columns to a file.
use v5.24;
use warnings;

my ($path) = @ARGV;
open my $file, '>', $path or die "$path: $!\n";
my $row = '<tr>' . join('', map { "<td>$_</td>" } 1 .. 50) . "</tr>\n";
print $file '<table>', $row x 1000, '</table>';
close $file or die "$path: $!\n";

# Paper 2's UnorderedLinks with its tools: Perl's HTML::Parser, and `diff` on what it finds. Reads pairs of pages
# from a file, each as "LENGTH LENGTH\n" and the bytes; prints how many pairs there are, how many differ, and the seconds of
# processor time that it and diff took.
# Usage: perl unordered_links.pl FILE PAIRS FOLDER|-     (with a folder, diff compares files in it)
use strict;
use warnings;
use HTML::Parser ();

my ($file, $pairs, $folder) = @ARGV;
my %counting = (a => [qw(href name target)], area => [qw(href target)], img => ['src']);

my (@names, @links);
my $parser = HTML::Parser->new(
    api_version => 3,
    start_h     => [
        sub {
            my ($name, $attributes) = @_;
            push @names, $name;
            my $counting = $counting{$name} or return;
            push @links, join ' ', $name, map { "$_=" . ($attributes->{$_} // '') } @$counting;
        },
        'tagname,attr',
    ],
);
$parser->ignore_elements(qw(script noscript applet object noframes noembed template));
$parser->ignore_tags(qw(meta embed));

# The names of the opening tags in order, then the links and images sorted.
sub seen {
    my ($html) = @_;
    (@names, @links) = ();
    $parser->parse($html);
    $parser->eof;
    return join "\n", @names, sort(@links), '';
}

sub differs {
    my ($expected, $actual) = @_;
    return $expected ne $actual if $folder eq '-';
    my @files = ("$folder/expected", "$folder/actual");
    for ([$files[0], $expected], [$files[1], $actual]) {
        my ($path, $text) = @$_;
        open my $out, '>:raw', $path or die "$path: $!";
        print $out $text;
        close $out or die "$path: $!";
    }
    my $status = system 'diff', '-q', @files;
    die "diff: $status" if $status != 0 && $status != 256;
    return $status != 0;
}

open my $in, '<:raw', $file or die "$file: $!";
# What diff says of each pair is not wanted.
open STDERR, '>&', \*STDOUT;
open my $said, '>&', \*STDOUT;
open STDOUT, '>', '/dev/null';
my ($done, $differing) = (0, 0);
while ($done < $pairs && defined(my $lengths = <$in>)) {
    my @pages;
    for my $length (split ' ', $lengths) {
        read($in, my $page, $length) == $length or die "$file ends early";
        push @pages, $page;
    }
    $done++;
    $differing++ if differs(map { seen($_) } @pages);
}
my ($user, $system, $user_of_diff, $system_of_diff) = times;
print $said "$done $differing ", $user + $system + $user_of_diff + $system_of_diff, "\n";
